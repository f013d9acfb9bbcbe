import type { Action, Question, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { denialOf, latestWake, traitsOf, type Widget } from "@askbox/core/questions";

/** For lists that are too long to read: groups, similar approvals beside each other, and questions put off for a while. */

/** What a list can be grouped and narrowed by. */
export const groupings = ["agent", "kind", "project", "machine", "repository"] as const;
/** One of `groupings`. */
export type Grouping = (typeof groupings)[number];

/** The kind of a session: that of its question, `several`, or `denial` for an action that a model has denied already. */
export type SessionKind = Widget | "several" | "denial";

/** The kind of a session. */
export function kindOf({ questions }: Pick<SessionView, "questions">): SessionKind {
  const [only, ...more] = questions;
  if (denialOf({ questions }) !== undefined) return "denial";
  return only === undefined || more.length > 0 ? "several" : traitsOf(only).widget;
}

/** What a list shows a session by, finer than its kind: what an approval would do, and that a short answer is a number. */
export type SessionSign = SessionKind | Exclude<Action["kind"], "other"> | "number";

/** The sign of a session. */
export function signOf(session: SessionView): SessionSign {
  const kind = kindOf(session);
  const [question] = session.questions;
  if (question === undefined || kind === "several") return kind;
  if ("action" in question) return question.action.kind === "other" ? kind : question.action.kind;
  return kind === "line" && traitsOf(question).typed === "value" ? "number" : kind;
}

/**
 * A session's group: the title of its agent's client, its kind, its project's folder and machine (`build-7:/srv/app`, as `readPlace` reads it), its
 * machine, or its repository. Undefined without a project or a repository, or on the hub's own machine.
 */
export function groupOf(session: SessionView, by: Grouping): string | undefined {
  const { asker } = session;
  if (by === "agent") return clientTitle(asker.client.name);
  if (by === "kind") return kindOf(session);
  return by === "project" && asker.project && asker.machine ? `${asker.machine}:${asker.project}` : asker[by];
}

/** Sessions that have something in common; `value` is absent for those without a project or a repository, or on the hub's own machine. */
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

/** The sessions with similar approvals beside each other, where the first of them stands: the same agent, machine, project and program or tool. */
export function besideSimilar(sessions: readonly SessionView[]): SessionView[] {
  return [...gathered(sessions, (session) => likeness(session) ?? session.id).values()].flat();
}

function likeness({ asker, questions }: SessionView): string | undefined {
  const [only, ...more] = questions;
  const what = only === undefined || more.length > 0 ? undefined : whatOf(only);
  return what === undefined ? undefined : JSON.stringify([asker.client.name, asker.machine, asker.project, ...what]);
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

/** Until when a session is snoozed, in wall time: it returns before its deadline. Undefined if it isn't snoozed at this time. */
export function snoozedUntil(session: SessionView, now: number): number | undefined {
  const until = Math.min(session.snoozedUntil ?? 0, latestWake(session));
  return now < until ? until : undefined;
}
