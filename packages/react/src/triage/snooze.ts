import type { SessionView } from "@askbox/core";

const minute = 60_000;
/** The maximum time before its end at which a question reminds the user, in ms. */
const maxLead = 2 * minute;
const lengths = [5 * minute, 15 * minute, 60 * minute];
/** With less time left than this (ms), snoozing makes no sense. */
const minLength = minute;
/** The hour at which the next day begins. */
const morning = 9;

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
function latestWake(session: SessionView): number {
  return session.deadlineAt === null ? Number.POSITIVE_INFINITY : session.deadlineAt - reminderLead(session);
}

/** A time until which sessions may be snoozed, in wall time: for a while, until the next morning, or until shortly before the first deadline. */
export interface SnoozeChoice {
  as: "for" | "until" | "end";
  until: number;
}

/** The times that the deadlines of these sessions allow, the soonest first; none if too little time is left. */
export function snoozeChoices(sessions: readonly SessionView[], now: number): SnoozeChoice[] {
  const latest = Math.min(...sessions.map(latestWake));
  const choices: SnoozeChoice[] = lengths.map((length) => ({ as: "for", until: now + length }));
  const allowed = [...choices, { as: "until", until: nextMorning(now) } as const].filter(({ until }) => until <= latest);
  return Number.isFinite(latest) && latest - now >= minLength ? [...allowed, { as: "end", until: latest }] : allowed;
}

function nextMorning(now: number): number {
  const day = new Date(now);
  day.setDate(day.getDate() + 1);
  day.setHours(morning, 0, 0, 0);
  return day.getTime();
}
