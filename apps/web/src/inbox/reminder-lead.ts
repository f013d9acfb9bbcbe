import type { SessionView } from "@askbox/core";

/** The maximum time before its end at which a question reminds the user, in ms. */
const maxLead = 120_000;

/** How long before its end a question reminds the user and returns from a snooze: a fifth of its time, at most two minutes; in ms. */
export function reminderLead({ createdAt, deadlineAt }: SessionView): number {
  return deadlineAt === null ? 0 : Math.min(maxLead, (deadlineAt - createdAt) / 5);
}
