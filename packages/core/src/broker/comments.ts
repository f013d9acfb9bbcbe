import { anchored, commentList, documentOf } from "../documents/comments.ts";
import { AskboxError } from "../errors.ts";
import type { Answer, AnswerFile, AnswerSet } from "../session/answer.ts";
import { traitsOf } from "../session/questions/traits.ts";
import type { SessionRecord } from "../session/record.ts";
import type { CheckFiles } from "./broker.ts";

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
