/** The maximum time before its end at which a question reminds people, in ms. */
const maxLead = 120_000;

interface Deadline {
  createdAt: number;
  deadlineAt: number | null;
}

/** How long before its end a question reminds people and returns from a snooze: a fifth of its time, at most two minutes; in ms. */
export function reminderLead({ createdAt, deadlineAt }: Deadline): number {
  return deadlineAt === null ? 0 : Math.min(maxLead, (deadlineAt - createdAt) / 5);
}

/** The latest time until which a question may be snoozed, so that it returns before its end. Infinity without a deadline. */
export function latestWake(session: Deadline): number {
  return session.deadlineAt === null ? Number.POSITIVE_INFINITY : session.deadlineAt - reminderLead(session);
}
