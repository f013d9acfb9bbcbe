import type { SessionView } from "@askbox/core";
import { latestWake } from "@askbox/core/questions";

/** Until when a session is snoozed, in wall time: it returns before its deadline. Undefined if it isn't snoozed at this time. */
export function snoozedUntil(session: SessionView, now: number): number | undefined {
  const until = Math.min(session.snoozedUntil ?? 0, latestWake(session));
  return now < until ? until : undefined;
}
