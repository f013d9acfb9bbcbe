import type { AnswerSet, Question, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { commentText, latestWake, traitsOf, type Widget } from "@askbox/core/questions";
import type { FormState } from "../form/editable-form.ts";
import { answerOf, emptyField } from "../form/field.ts";

/** What a list can be grouped and narrowed by. */
export const groupings = ["agent", "kind", "project"] as const;
/** One of `groupings`. */
export type Grouping = (typeof groupings)[number];

/** The kind of a session: that of its question, or `several`. */
export type SessionKind = Widget | "several";

/** The kind of a session. */
export function kindOf({ questions }: SessionView): SessionKind {
  const [only, ...more] = questions;
  return only === undefined || more.length > 0 ? "several" : traitsOf(only).widget;
}

/** A session's group: the title of its agent's client, its kind, or its project's folder. Undefined without a project. */
export function groupOf(session: SessionView, by: Grouping): string | undefined {
  if (by === "project") return session.asker.project;
  return by === "kind" ? kindOf(session) : clientTitle(session.asker.client.name);
}

/** Sessions that have something in common; `value` is absent for those without a project. */
export interface SessionGroup {
  value: string | undefined;
  sessions: SessionView[];
}

/** Groups in the order of their first session. */
export function groupSessions(sessions: Iterable<SessionView>, by: Grouping): SessionGroup[] {
  return [...gathered(sessions, (session) => groupOf(session, by))].map(([value, members]) => ({ value, sessions: members }));
}

/** The groups to which a list is narrowed. */
export type Narrowing = Readonly<Partial<Record<Grouping, string>>>;

/** Whether a session belongs to each of these groups. */
export const isIn = (session: SessionView, narrowing: Narrowing): boolean =>
  groupings.every((by) => narrowing[by] === undefined || groupOf(session, by) === narrowing[by]);

/** The sessions with similar approvals beside each other, where the first of them stands: the same agent, project and program or tool. */
export function besideSimilar(sessions: readonly SessionView[]): SessionView[] {
  return [...gathered(sessions, (session) => likeness(session) ?? session.id).values()].flat();
}

function likeness({ asker, questions }: SessionView): string | undefined {
  const [only, ...more] = questions;
  const what = only === undefined || more.length > 0 ? undefined : whatOf(only);
  return what === undefined ? undefined : JSON.stringify([asker.client.name, asker.project, ...what]);
}

/** The program of a command, without its arguments; else the tool. */
function whatOf(question: Question): readonly (string | undefined)[] | undefined {
  if (!("action" in question)) return undefined;
  const { kind, command, tool } = question.action;
  return [kind, command === undefined ? tool : /^\s*(\S+)/.exec(command)?.[1]];
}

/** Like `Map.groupBy`, which browsers have had only since 2024. */
function gathered<Key>(sessions: Iterable<SessionView>, keyOf: (session: SessionView) => Key): Map<Key, SessionView[]> {
  const groups = new Map<Key, SessionView[]>();
  for (const session of sessions) {
    const key = keyOf(session);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [session]);
    else group.push(session);
  }
  return groups;
}

/** Whether an action would be allowed although its lines were commented, which only a denial tells the agent. */
export const allowsCommented = ({ session, fields }: Pick<FormState, "session" | "fields">): boolean =>
  session.questions.some((question) => {
    const { values = [], comments } = fields[question.id] ?? {};
    return comments !== undefined && traitsOf(question).picks === "decision" && values.some((value) => value !== "deny");
  });

/** The other sessions that only ask for the same action in the same project, on the same branch, for the same client. */
export function equalApprovals(session: SessionView, question: Question, pending: readonly SessionView[]): SessionView[] {
  const wanted = keyOf(session, question);
  if (wanted === undefined || session.questions.length !== 1) return [];
  return pending.filter((other) => {
    const [only, ...more] = other.questions;
    return other.id !== session.id && only !== undefined && more.length === 0 && keyOf(other, only) === wanted;
  });
}

function keyOf({ asker }: SessionView, question: Question): string | undefined {
  if (!("action" in question)) return undefined;
  return JSON.stringify([asker.client.name, asker.project, asker.branch, question.action, question.question]);
}

/** How long a grant may last, as in an answer; the first is the default. */
export const grantTimes = ["8h", "1h", "1d", "7d", "30d"] as const;

/** Until when a session is snoozed, in wall time: it returns before its deadline. Undefined if it isn't snoozed at this time. */
export function snoozedUntil(session: SessionView, now: number): number | undefined {
  const until = Math.min(session.snoozedUntil ?? 0, latestWake(session));
  return now < until ? until : undefined;
}

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

/** The draft of a form whose session was settled elsewhere; undefined if there is none, or if it says what was answered. The reason to decline counts as a comment. */
export function unsentIn({ phase, settledHere, session, fields, comment: onAll, reason, files }: FormState): AnswerSet | undefined {
  if (phase !== "settled" || settledHere) return undefined;
  const answers = session.questions
    .map((question) => answerOf(question, fields[question.id] ?? emptyField))
    .filter(({ values, customText, note }) => [...values, customText, note].some((text) => text?.trim()));
  const { outcome } = session;
  const isReason =
    outcome?.kind === "cancelled"
      ? outcome.reason === reason
      : outcome?.kind === "answered" && outcome.answers.some(({ customText }) => customText === reason);
  const comment = [onAll, isReason ? "" : reason].filter((text) => text.trim() !== "").join("\n\n");
  if (answers.length === 0 && comment.trim() === "" && !files) return undefined;
  const draft = { answers, ...(comment.trim() && { comment }), ...(files && { files }) };
  const said = (set: AnswerSet) =>
    JSON.stringify([
      session.questions.map(({ id }) => {
        const { values = [], customText, note } = set.answers.find(({ questionId }) => questionId === id) ?? {};
        return [values, customText, note];
      }),
      commentText(set),
    ]);
  const answered = outcome?.kind === "answered" ? outcome : undefined;
  return answered !== undefined && said(answered) === said(draft) ? undefined : draft;
}
