import { anchored, commentList, documentOf } from "../documents/documents.ts";
import { AskboxError } from "../errors.ts";
import type { ClientForms } from "../ports/asker.ts";
import type { Answer, AnswerFile, AnswerSet } from "../session/answer.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { AskedImage, Image } from "../session/images.ts";
import { traitsOf } from "../session/questions/traits.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import type { CheckFiles, TakeImages } from "./broker.ts";
import { applyEvent, changeSession, tookEffect } from "./change.ts";
import type { BrokerContext } from "./context.ts";

/**
 * What comes with an answer besides its values: comments on a document, files, and the pictures of a question. Also the answers that come
 * from a client's own form. Loaded when there is one of them.
 */

/** The answers with their comments and files checked. Rejects with `INVALID_ANSWER`. */
export async function withAttached(
  { files }: { files: CheckFiles | undefined },
  record: SessionRecord,
  sent: AnswerSet,
): Promise<AnswerSet> {
  const set = withComments(record, sent);
  const answers = set.answers.some((answer) => answer.files?.length) ? await taking(files)(record, set.answers) : set.answers;
  return { ...set, answers, files: await attachedFiles({ files }, record, set.files) };
}

/** The files of a message as they are stored; undefined if there are none. Rejects with `INVALID_ANSWER`. */
export async function attachedFiles(
  { files }: { files: CheckFiles | undefined },
  record: Parameters<CheckFiles>[0],
  sent: readonly AnswerFile[] | undefined,
): Promise<AnswerFile[] | undefined> {
  if (!sent?.length) return undefined;
  const [checked] = await taking(files)(record, [{ questionId: "", values: [], files: [...sent] }]);
  return checked?.files;
}

function taking(files: CheckFiles | undefined): CheckFiles {
  if (files === undefined) throw refusal("Files cannot be attached here.");
  return files;
}

/**
 * The answers with the comments on their documents checked, and added as a list to what every agent reads: the reason of a denial, or
 * else the note. Throws `INVALID_ANSWER`.
 */
function withComments({ request }: SessionRecord, set: AnswerSet): AnswerSet {
  return {
    ...set,
    answers: set.answers.map((answer): Answer => {
      if (!answer.comments?.length) return answer;
      const question = request.questions.find(({ id }) => id === answer.questionId);
      const document = question && documentOf(question);
      if (question === undefined || document === undefined) throw refusal("This question takes no comments.");
      const comments = anchored(document, answer.comments);
      if (typeof comments === "string") throw refusal(comments);
      const isDecision = traitsOf(question).picks === "decision";
      if (isDecision && !answer.values.includes("deny")) throw refusal("Comments are sent with a denial.");
      const words = (text: string | undefined) => [...(text ? [text] : []), commentList(comments)].join("\n\n");
      return { ...answer, comments, ...(isDecision ? { customText: words(answer.customText) } : { note: words(answer.note) }) };
    }),
  };
}

const refusal = (sentence: string) => new AskboxError("INVALID_ANSWER", sentence);

/** How many pictures one question or option may have, and one ask; an alternative text's characters. */
const [maxEach, maxAll, maxAlt] = [10, 50, 500];

/** The request with what is stored of its pictures, and a function that stores them with a session. Throws `VALIDATION`, and what the taker throws. */
export async function takeImages(
  { images: take }: { images: TakeImages | undefined },
  owner: string,
  request: AskRequest,
): Promise<{ request: AskRequest; keep(sessionId: string): Promise<void> }> {
  if (take === undefined) throw imageRefusal("Pictures cannot be shown with questions here.");
  const shown = request.questions.flatMap((question) => [question, ...("options" in question ? question.options : [])]);
  if (shown.some(({ images = [] }) => images.length > maxEach))
    throw imageRefusal(`A question or an option may have at most ${maxEach} pictures.`);
  const asked = shown
    .flatMap(({ images = [] }) => images)
    .map((image): AskedImage => {
      if (!("src" in image)) throw imageRefusal("A picture needs a src.");
      if ((image.alt?.length ?? 0) > maxAlt) throw imageRefusal(`A picture's alt must be at most ${maxAlt} characters long.`);
      return image;
    });
  if (asked.length > maxAll) throw imageRefusal(`One ask may have at most ${maxAll} pictures; this one has ${asked.length}.`);
  const { images, keep } = await take(owner, asked);
  const stored = [...images];
  const replaced = <Shown extends { images?: (AskedImage | Image)[] | undefined }>(shown: Shown): Shown =>
    shown.images === undefined ? shown : { ...shown, images: stored.splice(0, shown.images.length) };
  const questions = request.questions.map((question) => {
    const own = replaced(question);
    return "options" in own ? { ...own, options: own.options.map(replaced) } : own;
  });
  return { request: { ...request, questions }, keep };
}

const imageRefusal = (sentence: string) => new AskboxError("VALIDATION", sentence);

/** Answers a session from a form of its asker's client. */
export async function answerByForm(
  context: BrokerContext,
  own: (sessionId: string, asker?: AskerInfo) => Promise<SessionRecord>,
  ...[sessionId, set, { idempotencyKey, asker } = {}]: Parameters<ClientForms["answered"]>
): Promise<SessionRecord> {
  const { clientForms, clock, drafts, views } = context;
  if (!clientForms) {
    throw new AskboxError("FORBIDDEN", "Answers from a client's own form are not accepted here; whoever runs the hub can allow them.");
  }
  const present = await own(sessionId, asker);
  const checked = await withAttached(context, present, set);
  return changeSession(context, present, async (record) => {
    if (tookEffect(record, idempotencyKey)) return undefined;
    if (record.state !== "pending") throw views.closed(record);
    await drafts.mustBeFree(sessionId);
    const by = { surface: "client" as const, name: record.asker.client.name };
    return applyEvent(record, { ...checked, type: "ANSWER", by, at: clock.now() }, idempotencyKey);
  });
}
