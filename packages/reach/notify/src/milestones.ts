import type { SessionView } from "@askbox/core";
import { isReply, replyCount } from "@askbox/core/questions";

/** When a session is announced: `after` ms since something new came, outside quiet hours. */
export interface Times {
  after: number;
  quiet?: QuietHours | undefined;
}

/** A moment at which a session is announced, unless somebody has seen it by then. */
export interface Milestone {
  /** Identifies what is new: the session's id, or that, a dot and the number of replies, the end of a snooze, `half` or `end`. */
  news: string;
  /** Wall time in ms. */
  at: number;
  /** Whether it was announced before, and nobody came. */
  isReminder: boolean;
}

/** Which part of the time a question has is over when people are reminded of it. */
const reminders = [
  ["half", 0.5],
  ["end", 0.9],
] as const;
/** Milliseconds that must have passed since the announcement before. */
const minGap = 30_000;

/** A reply of the agent counts as a new question, and so does the end of a snooze. */
export function newsOf(session: SessionView): string {
  const replies = replyCount(session);
  const back = session.snoozedUntil === undefined ? "" : `.${session.snoozedUntil}`;
  return `${session.id}${replies === 0 ? "" : `.${replies}`}${back}`;
}

/** The session's id in what `newsOf` or a reminder names. */
export const sessionOf = (news: string): string => news.split(".", 1)[0] ?? news;

/** What `milestonesOf` may name until something new comes. */
export const newsNow = (news: string): string[] => [news, ...reminders.map(([name]) => `${sessionOf(news)}.${name}`)];

/**
 * When a session is announced, in order: `after` ms since something new came, and, if nobody has seen it, at half of its time and before its
 * end. A session from the future, by a clock that was set back since, counts as new.
 */
function milestonesOf(session: SessionView, after: number, now: number): Milestone[] {
  const { id, createdAt, deadlineAt, seenAt, snoozedUntil, thread = [] } = session;
  const repliedAt = thread.findLast(isReply)?.at;
  const since = snoozedUntil ?? Math.min(Math.max(createdAt, repliedAt ?? 0), now);
  const milestones: Milestone[] = [{ news: newsOf(session), at: since + after, isReminder: false }];
  if (deadlineAt === null || seenAt !== undefined || snoozedUntil !== undefined || repliedAt !== undefined) return milestones;
  for (const [name, part] of reminders) {
    const at = createdAt + (deadlineAt - createdAt) * part;
    if (at >= (milestones.at(-1)?.at ?? 0) + minGap) milestones.push({ news: `${id}.${name}`, at, isReminder: true });
  }
  return milestones;
}

/**
 * The last milestone that has passed, and the next to wait for; in quiet hours, the last in them, at their end. `due`: news whose time has
 * come, whatever the wall clock says.
 */
export function agendaOf(
  session: SessionView,
  { after, quiet }: Times,
  { now, due, isTold }: { now: number; due: string | undefined; isTold(news: string): boolean },
): { passed: Milestone | undefined; next: Milestone | undefined; isQuiet: boolean } {
  const milestones = milestonesOf(session, after, now);
  const last = milestones.findLastIndex(({ at, news }) => at <= now || news === due);
  const quietEnd = quiet && quietUntil(quiet, now);
  const held = quietEnd && milestones.findLast(({ at, news }) => at <= quietEnd && !isTold(news));
  const next = held ? { ...held, at: quietEnd } : milestones.slice(last + 1).find(({ news }) => !isTold(news));
  return { passed: milestones[last], next, isQuiet: quietEnd !== undefined };
}

/** Whether nobody has seen what is new about a session, and nobody has it open. */
export function isUnseen(session: SessionView): boolean {
  const { seenAt, snoozedUntil, presence } = session;
  return (seenAt === undefined || replyCount(session) > 0 || snoozedUntil !== undefined) && presence.openIn.length === 0;
}

/** Minutes of the day, in the time zone of this process. `to` may be earlier than `from`: the hours then last over midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

/** The form of quiet hours: `22:00-07:00`. */
export const quietHoursPattern = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Reads quiet hours; undefined if they are not in that form, or never end. */
export function quietHoursOf(text: string): QuietHours | undefined {
  if (!quietHoursPattern.test(text)) return undefined;
  const [from = 0, to = 0] = text.split("-").map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  return from === to ? undefined : { from, to };
}

/** When the quiet hours end that `now`, wall time in ms, is in; undefined outside them. */
export function quietUntil({ from, to }: QuietHours, now: number): number | undefined {
  const time = new Date(now);
  const minute = time.getHours() * 60 + time.getMinutes();
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const end = new Date(time.getFullYear(), time.getMonth(), time.getDate() + (minute < to ? 0 : 1), Math.floor(to / 60), to % 60);
  // Where the clock is put back, the same time of day comes twice.
  return end.getTime() > now ? end.getTime() : undefined;
}
