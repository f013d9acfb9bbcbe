import type { SessionView } from "@askbox/core";
import { latestWake } from "@askbox/core/questions";

const minute = 60_000;
const lengths = [5 * minute, 15 * minute, 60 * minute];
/** With less time left than this (ms), snoozing makes no sense. */
const minLength = minute;
/** The hour at which the next day begins. */
const morning = 9;

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
