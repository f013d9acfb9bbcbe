import { AskboxError } from "../errors.ts";
import type { RemoveFilter } from "../ports/store.ts";
import type { Answer } from "../session/answer.ts";
import { answerText, type Question } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";

/**
 * The text that a store searches for `StoreQuery.text`: everything a person would search for, in lower case. A store compares it with the
 * search text's own `toLowerCase()`, without wildcards.
 */
export function searchText(record: SessionRecord): string {
  const { asker, request, context, reply, thread } = record;
  const outcome = context.outcome;
  const parts = [request.title, asker.project, asker.branch, asker.agentId, asker.client.name];
  for (const question of request.questions) parts.push(question.question, question.header);
  if (outcome?.kind === "answered") parts.push(outcome.comment, ...answerParts(request.questions, outcome.answers));
  if (outcome?.kind === "cancelled") parts.push(outcome.reason);
  if (reply !== undefined) parts.push(reply.comment, ...answerParts(request.questions, reply.answers));
  for (const { text } of thread) parts.push(text);
  return parts
    .filter((part) => part !== undefined)
    .join("\n")
    .toLowerCase();
}

function answerParts(questions: readonly Question[], answers: readonly Answer[]): (string | undefined)[] {
  const byId = new Map(questions.map((question) => [question.id, question]));
  return answers.flatMap((answer) => {
    const question = byId.get(answer.questionId);
    return [question === undefined ? undefined : answerText(question, answer), ...answer.values, answer.note];
  });
}

/** Its outcome, a later reply or a person's message is undelivered: what `StoreQuery.undelivered` selects. */
export function isUndelivered(record: SessionRecord): boolean {
  if (askedBack(record).length > 0) return true;
  if (record.state === "pending") return false;
  return record.delivery.deliveredAt === null || (record.reply !== undefined && record.reply.deliveredAt === undefined);
}

/** Withdrawn by its asker before anybody opened it. */
export function isUnseenWithdrawal({ seenAt, context: { outcome } }: SessionRecord): boolean {
  return seenAt === undefined && outcome?.kind === "cancelled" && outcome.by.surface === "asker";
}

/** All times of a `RemoveFilter`: a session is removed if it was closed before the time for its kind. */
export function removalTimes({ closedBefore, undeliveredBefore = closedBefore, unseenBefore = closedBefore }: RemoveFilter) {
  return {
    delivered: closedBefore,
    undelivered: Math.min(undeliveredBefore, closedBefore),
    unseen: Math.max(unseenBefore, closedBefore),
  };
}

/** Whether `SessionStore.remove` removes it. */
export function isRemovable(record: SessionRecord, filter: RemoveFilter): boolean {
  const { delivered, undelivered, unseen } = removalTimes(filter);
  if (record.closedAt === null) return false;
  return record.closedAt < (isUnseenWithdrawal(record) ? unseen : isUndelivered(record) ? undelivered : delivered);
}

/** The page size: `StoreQuery.limit` clamped to 1–1,000; default 100. */
export function pageLimit(limit = 100): number {
  return Math.min(1_000, Math.max(1, Math.trunc(limit)));
}

/** A session's position in the order of a list. */
export interface PagePosition {
  createdAt: number;
  id: string;
}

/** The cursor of the page after this session. */
export function pageCursor({ createdAt, id }: PagePosition): string {
  return `${createdAt}_${id}`;
}

/** The session before a page. Throws `VALIDATION` for an invalid cursor. */
export function readCursor(cursor: string): PagePosition {
  const split = cursor.indexOf("_");
  const createdAt = split < 1 ? Number.NaN : Number(cursor.slice(0, split));
  if (Number.isFinite(createdAt)) return { createdAt, id: cursor.slice(split + 1) };
  throw new AskboxError("VALIDATION", "The cursor is invalid; start again without one.");
}
