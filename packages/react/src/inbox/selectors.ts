import type { SessionView } from "@askbox/core";
import { searchedText, searchWords } from "@askbox/core/questions";

/** The order of a list: by nearest deadline, or newest first. */
export type SortOrder = "deadline" | "newest";

/** An asker that has been away for longer than this (ms) has left. */
const leftAfter = 120_000;

/** Whether the agent is no longer waiting and has been away for over two minutes. */
export function agentHasLeft({ presence }: SessionView, now: number): boolean {
  return presence.asker === "away" && presence.awaySince !== undefined && now - presence.awaySince > leftAfter;
}

/** Nearest deadline first, then those without one by age; or newest first. */
export function sortSessions(sessions: Iterable<SessionView>, order: SortOrder): SessionView[] {
  const newest = (a: SessionView, b: SessionView) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
  const soonest = (a: SessionView, b: SessionView) => {
    const [first, second] = [a.deadlineAt ?? Number.POSITIVE_INFINITY, b.deadlineAt ?? Number.POSITIVE_INFINITY];
    return first === second ? newest(a, b) : first - second;
  };
  return [...sessions].sort(order === "newest" ? newest : soonest);
}

/** A filter for a list of sessions. */
export interface SessionFilter {
  /** Words that must all be found, ignoring case, in what the hub searches, too: title, questions, options, project, branch, agent, client and messages. */
  text?: string | undefined;
  project?: string | undefined;
}

/** The sessions that match the filter, in the same order. */
export function filterSessions(sessions: Iterable<SessionView>, { text = "", project }: SessionFilter): SessionView[] {
  const words = searchWords(text);
  return [...sessions].filter((session) => {
    if (project !== undefined && session.asker.project !== project) return false;
    if (words.length === 0) return true;
    const searched = searchedText(session);
    return words.every((word) => searched.includes(word));
  });
}

/** Splits sessions into those whose agent can still receive the answer soon, and those whose agent has left. */
export function splitByPresence(sessions: Iterable<SessionView>, now: number): { waiting: SessionView[]; left: SessionView[] } {
  const waiting: SessionView[] = [];
  const left: SessionView[] = [];
  for (const session of sessions) (agentHasLeft(session, now) ? left : waiting).push(session);
  return { waiting, left };
}
