import type { SessionRecord } from "./record.ts";
import { askedBack } from "./thread.ts";

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
