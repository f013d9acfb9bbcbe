import type { SessionView } from "@askbox/core";

/** The maximum time before its end at which a question reminds the user, in ms. */
const maxLead = 120_000;

/** How long before its end a question reminds the user and returns from a snooze: a fifth of its time, at most two minutes; in ms. */
export function reminderLead({ createdAt, deadlineAt }: SessionView): number {
  return deadlineAt === null ? 0 : Math.min(maxLead, (deadlineAt - createdAt) / 5);
}

/** Until when a session is snoozed, in wall time: it returns before its deadline. Undefined if it isn't snoozed at this time. */
export function snoozedUntil(session: SessionView, now: number): number | undefined {
  const until = Math.min(session.snoozedUntil ?? 0, latestWake(session));
  return now < until ? until : undefined;
}

/** The latest time until which a question may be snoozed, so that it returns before its end. Infinity without a deadline. */
export function latestWake(session: SessionView): number {
  return session.deadlineAt === null ? Number.POSITIVE_INFINITY : session.deadlineAt - reminderLead(session);
}
