import { type Answer, AskboxError, type AskResult, isAskboxError, parseAsk } from "@askbox/core";
import { commentList } from "@askbox/core/documents";
import type { DialectCodec } from "../dialect.ts";
import { asTitle, fieldsOf, requiredField, textField, untilClosed } from "../words/feedback.ts";
import { besides, inWords, openOrNot, replyByGetAnswer, validationError } from "../words/sentences.ts";

interface Revision {
  revisedPart: string;
  revisorInstructions: string;
}

/** `plan_review` and `walkthrough_review`: a verdict on a document, with comments on its lines. */
export const planReviewCodec = ({ what, approved }: { what: string; approved: string }): DialectCodec => ({
  read(args, { ids, timeout = untilClosed }) {
    const fields = fieldsOf(args);
    const document = requiredField(fields, "plan");
    const question = { id: "plan", type: "review", question: `What do you think of this ${what}?`, document };
    try {
      return { request: parseAsk({ questions: [question], title: asTitle(textField(fields, "title")), timeout }, { ids }) };
    } catch (error) {
      if (!isAskboxError(error, "VALIDATION")) throw error;
      throw new AskboxError("VALIDATION", error.message.replace("questions[0] needs a document of", "plan must have"));
    }
  },
  write(result, request) {
    const told = {
      status: result.pending ? "pending" : result.answered ? verdictOf(result.answers, approved) : "cancelled",
      requiredRevisions: revisionsOf(result),
      reviewId: result.sessionId ?? "",
    };
    const also = besides(result, { answersOf: (earlier) => earlierReview(earlier, approved), howToReply: replyByGetAnswer });
    return inWords(JSON.stringify(told), openOrNot(result, request), also);
  },
  refuse: validationError,
});

/** Anything but an approval is none. */
const verdictOf = (answers: readonly Answer[], approved: string): string =>
  answers.some(({ values }) => values[0]?.startsWith("approve")) ? approved : "recreateWithChanges";

/** The comments on lines, and what the person said of the whole. */
function revisionsOf({ answers, comment }: Pick<AskResult, "answers" | "comment">): Revision[] {
  return [
    ...answers.flatMap(({ comments = [] }) => comments.map(({ quote = "", text }) => revision(quote, text))),
    ...[...answers.map(ownNote), comment].flatMap((text) => (text ? [revision("", text)] : [])),
  ];
}

const revision = (revisedPart: string, revisorInstructions: string): Revision => ({ revisedPart, revisorInstructions });

/** The note without the list of comments that was added to it. */
function ownNote({ note = "", comments = [] }: Answer): string {
  const list = commentList(comments);
  return note.endsWith(list) ? note.slice(0, note.length - list.length).trimEnd() : note;
}

const earlierReview = (earlier: Pick<AskResult, "answers" | "comment">, approved: string): string =>
  JSON.stringify({ status: verdictOf(earlier.answers, approved), requiredRevisions: revisionsOf(earlier) });
