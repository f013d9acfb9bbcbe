import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { isReply, replyCount } from "@askbox/core/questions";
import * as z from "zod";
import { attentionModes } from "./channels/index.ts";

/**
 * When a session is announced to a person: what is news about it, when each piece is due, and the quiet hours that hold it back; then the
 * settings that say so for some of the questions.
 */

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

/** Hours in which nobody is notified. */
export const quietHoursSchema = z
  .string()
  .regex(quietHoursPattern, 'must be two different times of day, such as "22:00-07:00"')
  .refine((text) => quietHoursOf(text) !== undefined, 'must be two different times of day, such as "22:00-07:00"');

/** One entry of `attentionFor`: settings for some of the questions. */
export const attentionRuleSchema = z
  .strictObject({
    client: z.string().min(1).optional().describe("Only questions from this client, by the name that it reports or its title."),
    project: z.string().min(1).optional().describe("Only questions from this folder, and those inside it."),
    machine: z.string().min(1).optional().describe("Only questions from this machine, by its name in `askbox machines`."),
    attention: z.enum(attentionModes).optional().describe("How you are notified on this machine."),
    after: z
      .union([z.number().min(0).max(86_400), z.literal("never")])
      .optional()
      .describe("Seconds until a question that nobody has seen is pushed to a person elsewhere, or never."),
    quietHours: z
      .union([quietHoursSchema, z.literal("off")])
      .optional()
      .describe("The quiet hours, or off."),
  })
  .refine(
    ({ client, project, machine }) => [client, project, machine].some((name) => name !== undefined),
    "must name a client, a project or a machine",
  );
/** Settings for the questions of a client, a project or a machine, or of several of these together. */
export type AttentionRule = z.output<typeof attentionRuleSchema>;

/** How people are notified; the first rule that matches a question counts for it. */
export interface AttentionRules {
  quietHours?: string | undefined;
  rules: readonly AttentionRule[];
}

/** Every question is announced alike, at any hour. */
export const noRules: AttentionRules = { rules: [] };

/** The first rule for a client, by the name that it reports or its title, for a machine, and for a project: the folder, and those inside it. */
export function ruleFor<Rule extends { client?: string | undefined; project?: string | undefined; machine?: string | undefined }>(
  rules: readonly Rule[],
  { asker }: Pick<SessionView, "asker">,
): Rule | undefined {
  return rules.find(({ client, project, machine }) => {
    const isClient = client === undefined || namesOf(asker.client.name).includes(client.toLowerCase());
    return (
      isClient &&
      (machine === undefined || asker.machine === machine) &&
      (project === undefined || (asker.project !== undefined && isInside(asker.project, project)))
    );
  });
}

/** What the rules say about a question; `after` in seconds. Undefined: the channel's own. */
export function settingsFor({ rules, quietHours }: AttentionRules, session: Pick<SessionView, "asker">) {
  const rule = ruleFor(rules, session);
  const quiet = rule?.quietHours ?? quietHours;
  return { attention: rule?.attention, after: rule?.after, quiet: quiet === undefined ? undefined : quietHoursOf(quiet) };
}

/** When a person elsewhere is told of a question: `seconds` after it came, unless a rule says otherwise; undefined for never. */
export function timesElsewhere(rules: AttentionRules, session: SessionView, seconds: number): Times | undefined {
  const { after = seconds, quiet } = settingsFor(rules, session);
  return after === "never" ? undefined : { after: after * 1_000, quiet };
}

const namesOf = (reported: string): string[] => [reported.toLowerCase(), clientTitle(reported).toLowerCase()];

/** Whether a path is this folder or inside it. Both are POSIX or Windows paths. */
function isInside(path: string, folder: string): boolean {
  const [inner, outer] = [segmentsOf(path), segmentsOf(folder)];
  return outer.every((segment, index) => segment === inner[index]);
}

const segmentsOf = (path: string): string[] => path.split(/[\\/]/).filter((segment, index) => segment !== "" || index === 0);
