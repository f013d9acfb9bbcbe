import * as z from "zod";
import { defined } from "../objects.ts";
import { answerSchema, filesSchema, wordsOf } from "./answer.ts";
import type { AskersRecord } from "./audience.ts";
import { afterDenial } from "./denial.ts";
import { askBackSchema, unreplied } from "./thread.ts";

/** The four fields of the `ask_user` contract, always present. */
const contractFields = () => ({
  answered: z.boolean(),
  cancelled: z.boolean(),
  timedOut: z.boolean(),
  answers: z.array(answerSchema),
});

const askboxFields = () => ({
  sessionId: z.string().optional(),
  /** What to do now, where the rest doesn't say it. */
  next: z.string().optional(),
  /** Why it was cancelled. */
  reason: z.string().optional(),
  /** The person's overall comment. */
  comment: z.string().optional(),
  /** Those with the comment. */
  files: filesSchema,
  answeredBy: z.object({ surface: z.string(), name: z.string().optional() }).optional(),
  /** The answer was given to an earlier call that had ended. */
  late: z.boolean().optional(),
  /** For a timeout: whether anybody had the question open. */
  seen: z.boolean().optional(),
  /** The question is still open; `get_answer` with the sessionId keeps waiting. */
  pending: z.boolean().optional(),
  /**
   * A person's questions to the agent, oldest first: asked before they answer, and repeated until the agent replies; or, in a settled
   * session, asked at the same moment as the outcome.
   */
  askedBack: z.array(askBackSchema).optional(),
  /** What a person wrote to the agent without being asked, oldest first; in a settled session. */
  messages: z.array(z.object({ text: z.string() })).optional(),
});

/** An outcome that has not been delivered to its asker before, with enough of the questions to understand it. */
const earlierResultSchema = /* @__PURE__ */ (() =>
  z.object({
    ...contractFields(),
    ...askboxFields(),
    title: z.string().optional(),
    questions: z.array(z.object({ id: z.string(), question: z.string() })),
    /** The outcome was delivered before: only its `messages` are new. */
    received: z.boolean().optional(),
    /** The person's words came after the deadline; the session remains timed out. */
    repliedAfterTimeout: z.boolean().optional(),
  }))();
/** An earlier outcome in the JSON that an agent gets. */
export type EarlierResult = z.infer<typeof earlierResultSchema>;

/** The result of `ask_user`, `get_answer` and `askbox ask --json`. */
export const askResultSchema = /* @__PURE__ */ (() =>
  z.object({
    ...contractFields(),
    ...askboxFields(),
    earlier: z.array(earlierResultSchema).optional(),
  }))();
/** The JSON that an agent gets for its questions. */
export type AskResult = z.infer<typeof askResultSchema>;

/** The result of a session for its asker; a ticket for a pending one. A reply after the deadline precedes the other `earlier` results. */
export function askResult(session: AskersRecord, marks: { late?: boolean; earlier?: EarlierResult[] } = {}): AskResult {
  // The outcome remains, and delivering it also delivers the reply.
  const earlier = [...(session.reply === undefined ? [] : [earlierResult(session)]), ...(marks.earlier ?? [])];
  return {
    ...resultFields(session),
    ...(marks.late ? { late: true } : {}),
    ...(earlier.length > 0 ? { earlier } : {}),
  };
}

/** The result of a session as part of a later call's `earlier[]`; a reply after the deadline comes with its answers. */
export function earlierResult(session: AskersRecord): EarlierResult {
  const { title, questions } = session.request;
  const reply = session.reply;
  const fields = resultFields(session);
  const isReceived = fields.messages && session.delivery.deliveredAt !== null && (reply === undefined || reply.deliveredAt !== undefined);
  return {
    ...fields,
    ...(isReceived && { received: true }),
    ...(reply === undefined
      ? {}
      : {
          answers: reply.answers,
          ...wordsOf(reply),
          answeredBy: reply.by,
          repliedAfterTimeout: true,
        }),
    ...defined({ title }),
    questions: questions.map(({ id, question }) => ({ id, question })),
  };
}

function resultFields(session: AskersRecord): AskResult {
  const open = unreplied(session);
  const asked = open.filter(({ unasked }) => !unasked);
  const messages = open.filter(({ unasked }) => unasked);
  return {
    ...outcomeFields(session),
    ...defined({ next: afterDenial(session) }),
    ...(asked.length > 0 && {
      askedBack: asked.map(({ questionId, text, files }) => ({
        ...(questionId !== undefined && { questionId }),
        text,
        ...(files && { files }),
      })),
    }),
    ...(messages.length > 0 && { messages: messages.map(({ text }) => ({ text })) }),
  };
}

function outcomeFields(session: AskersRecord): AskResult {
  const outcome = session.context.outcome;
  const sessionId = session.id;
  const none = { answered: false, cancelled: false, timedOut: false, answers: [] };
  switch (outcome?.kind) {
    case undefined:
      return { ...none, pending: true, sessionId };
    case "answered":
      return {
        ...none,
        answered: true,
        answers: outcome.answers,
        sessionId,
        ...wordsOf(outcome),
        answeredBy: outcome.by,
      };
    case "cancelled":
      return {
        ...none,
        cancelled: true,
        sessionId,
        ...defined({ reason: outcome.reason }),
        answeredBy: outcome.by,
      };
    case "timedOut":
      return { ...none, timedOut: true, sessionId, seen: session.seenAt !== undefined };
  }
}
