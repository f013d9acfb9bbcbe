import { AskboxError } from "../errors.ts";
import type { RemoveFilter } from "../ports/store.ts";
import type { Answer } from "../session/answer.ts";
import { answerText, type Question } from "../session/questions/index.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";

/**
 * The text in which a store looks for `StoreQuery.text`: all that a person would search for, in lower case. A store compares
 * with the needle's own `toLowerCase()`, as plain text without wildcards.
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

/** Its outcome, the reply after it or a person's message has not been handed over: what `StoreQuery.undelivered` asks for. */
export function isUndelivered(record: SessionRecord): boolean {
  if (askedBack(record).length > 0) return true;
  if (record.state === "pending") return false;
  return record.delivery.deliveredAt === null || (record.reply !== undefined && record.reply.deliveredAt === undefined);
}

/** Withdrawn by its asker before anybody had it open. */
export function isUnseenWithdrawal({ seenAt, context: { outcome } }: SessionRecord): boolean {
  return seenAt === undefined && outcome?.kind === "cancelled" && outcome.by.surface === "asker";
}

/** The times of a `RemoveFilter`, none left out: sessions are removed that were closed before the one for what they are. */
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

/** How many sessions a page holds: `StoreQuery.limit` brought into its range of 1–1,000; default 100. */
export function pageLimit(limit = 100): number {
  return Math.min(1_000, Math.max(1, Math.trunc(limit)));
}

/** Where a session stands in the order of a list. */
export interface PagePosition {
  createdAt: number;
  id: string;
}

/** The cursor of the page that follows this session. */
export function pageCursor({ createdAt, id }: PagePosition): string {
  return `${createdAt}_${id}`;
}

/** The session after which a page begins. Throws `VALIDATION` for a cursor that no store gave. */
export function readCursor(cursor: string): PagePosition {
  const split = cursor.indexOf("_");
  const createdAt = split < 1 ? Number.NaN : Number(cursor.slice(0, split));
  if (Number.isFinite(createdAt)) return { createdAt, id: cursor.slice(split + 1) };
  throw new AskboxError("VALIDATION", "The cursor is invalid; start again without one.");
}
