import type { RemoveFilter } from "../ports/store.ts";
import { isUndelivered, isUnseenWithdrawal, type SessionRecord } from "../session/record.ts";

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
