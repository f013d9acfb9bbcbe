import { type Answer, AskboxError, parseAsk } from "@askbox/core";
import type { DialectCodec } from "../dialect.ts";
import { fieldsOf, requiredField, textField } from "../words/feedback.ts";
import {
  askedBackInWords,
  besides,
  declinedSentence,
  failedInWords,
  inWords,
  ticketSentence,
  timeoutSentence,
  validationError,
} from "../words/sentences.ts";

/** Milliseconds. */
const tenMinutes = 600_000;
const maxIdLength = 200;

/** `ask_human`: one question in plain words, and the person's reply as is. */
export const askHumanCodec: DialectCodec = {
  read(args, { ids, timeout = tenMinutes }) {
    const fields = fieldsOf(args);
    const text = requiredField(fields, "question");
    const id = requiredField(fields, "agent_id").trim();
    const sessionId = textField(fields, "in_reply_to")?.trim();
    if (id.length > maxIdLength) throw new AskboxError("VALIDATION", `agent_id must be at most ${maxIdLength} characters long`);
    if (sessionId !== undefined) return { reply: { sessionId, text }, agentId: id };
    return { request: parseAsk({ questions: [{ question: text }], timeout }, { ids, longQuestions: true }), agentId: id };
  },
  write(result, request) {
    const also = besides(result, { answersOf: ({ answers, comment }) => replyOf(answers, comment), howToReply });
    if (result.pending && result.askedBack) return inWords(askedBackInWords(result, request, howToReply), also);
    if (result.pending) return inWords(ticketSentence(result), also);
    if (result.timedOut) return failedInWords(timeoutSentence(result, request), also);
    if (result.cancelled) return failedInWords(declinedSentence(result), also);
    return inWords(result.answered ? replyOf(result.answers, result.comment) : undefined, also);
  },
  refuse: validationError,
};

const howToReply = (sessionId: string): string =>
  `Reply by calling ask_human with your reply as question, your agent_id, and in_reply_to ${sessionId}; it keeps waiting for the answer.`;

/** Everything that the person said, as they said it. */
function replyOf(answers: readonly Answer[], comment: string | undefined): string {
  const words = answers.flatMap(({ values, customText, note }) => [...values, customText, note]);
  return [...words, comment].filter((text) => text !== undefined).join("\n\n");
}
