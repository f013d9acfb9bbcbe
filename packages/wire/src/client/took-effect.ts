import { type Answer, type Answerer, type AnswerSet, isAskboxError, type SessionView, sessionViewSchema } from "@askbox/core";

/**
 * An operation is sent again with the same `op` after its connection broke, and the hub replies as it did, or would have. A hub that
 * was started again in between has forgotten, and refuses the second sending because the first took effect. These tell
 * whether that is so: whether what stands is what we did.
 */

/** The session that stands, from a `SESSION_CLOSED`. */
export function closedSession(error: unknown): SessionView | undefined {
  if (!isAskboxError(error, "SESSION_CLOSED")) return undefined;
  const read = sessionViewSchema.safeParse(error.details?.["session"]);
  return read.success ? read.data : undefined;
}

export function isAnsweredBy(by: Answerer, set: AnswerSet, session: SessionView): boolean {
  const { outcome } = session;
  return outcome?.kind === "answered" && isSameWord(by, set, outcome);
}

export function isScheduledBy(by: Answerer, set: AnswerSet, { scheduled }: SessionView): boolean {
  return scheduled !== undefined && isSameWord(by, set, scheduled);
}

export function isRepliedBy(by: Answerer, set: AnswerSet, { reply }: SessionView): boolean {
  return reply !== undefined && isSameWord(by, set, reply);
}

export function isCancelledBy(by: Answerer, reason: string | undefined, { outcome }: SessionView): boolean {
  return outcome?.kind === "cancelled" && isSame(by, outcome.by) && outcome.reason === reason;
}

interface Word {
  by: { surface: string; name?: string | undefined };
  answers: readonly Answer[];
  comment?: string | undefined;
}

function isSameWord(by: Answerer, { answers, comment }: AnswerSet, word: Word): boolean {
  return isSame(by, word.by) && comment === word.comment && areSameAnswers(answers, word.answers);
}

function isSame(one: Word["by"], other: Word["by"]): boolean {
  return one.surface === other.surface && one.name === other.name;
}

/** What stands has an answer for each question; one that was left out when it was sent was skipped. */
function areSameAnswers(sent: readonly Answer[], standing: readonly Answer[]): boolean {
  const given = new Map(sent.map((answer) => [answer.questionId, answer]));
  return standing.every((answer) => textOf(given.get(answer.questionId)) === textOf(answer));
}

function textOf(answer: Answer | undefined): string {
  return JSON.stringify([answer?.values ?? [], answer?.customText ?? null, answer?.note ?? null]);
}
