import type { SessionView } from "@askbox/core";
import { createStore, type Store, useTimed } from "@askbox/react";
import { useMemo, useSyncExternalStore } from "react";
import { reminderLead } from "./reminder-lead.ts";

/** Until when each question is snoozed, by session id, in wall time (ms). */
export type Snoozes = ReadonlyMap<string, number>;

const key = "askbox.snoozes";
/** The maximum number of entries; the oldest are removed first. */
const maxKept = 1_000;
/** A session's id is shorter than this. */
const maxIdLength = 100;

function read(): Snoozes {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    const isEntry = (entry: unknown): entry is [string, number] =>
      Array.isArray(entry) && typeof entry[0] === "string" && entry[0].length < maxIdLength && typeof entry[1] === "number";
    return new Map(Array.isArray(stored) ? stored.filter(isEntry).slice(-maxKept) : []);
  } catch {
    return new Map();
  }
}

const store = createStore<Snoozes>(read());
// Changes from other tabs of this browser.
addEventListener("storage", (event) => {
  if (event.key === key) store.setState(read());
});

function keep(next: Map<string, number>): void {
  const entries = [...next].slice(-maxKept);
  store.setState(new Map(entries));
  try {
    localStorage.setItem(key, JSON.stringify(entries));
  } catch {
    // Storage is full or forbidden: the snooze lasts until the page is closed.
  }
}

export const snoozes: Store<Snoozes> = store;

/** Snoozes questions, or changes how long they are snoozed. */
export function snooze(ids: readonly string[], until: number): void {
  const next = new Map(store.getState());
  for (const id of ids) {
    next.delete(id);
    next.set(id, until);
  }
  keep(next);
}

/** Ends the snooze of questions. */
export function wake(ids: readonly string[]): void {
  const next = new Map(store.getState());
  for (const id of ids) next.delete(id);
  if (next.size < store.getState().size) keep(next);
}

/** The latest time until which a question may be snoozed, so that it returns before its end. Infinity without a deadline. */
export function latestWake(session: SessionView): number {
  return session.deadlineAt === null ? Number.POSITIVE_INFINITY : session.deadlineAt - reminderLead(session);
}

/** Whether the question is snoozed at this time. */
export function isSnoozed(session: SessionView, all: Snoozes, now: number): boolean {
  const until = all.get(session.id);
  return until !== undefined && now < Math.min(until, latestWake(session));
}

/** The ids of the questions that are snoozed now. */
export function useSnoozed(sessions: ReadonlyMap<string, SessionView>): ReadonlySet<string> {
  const all = useSyncExternalStore(store.subscribe, store.getState);
  const ids = useTimed((now) => {
    const isAway = (id: string) => {
      const session = sessions.get(id);
      return session !== undefined && isSnoozed(session, all, now);
    };
    return [...all.keys()].filter(isAway).join(" ");
  });
  return useMemo(() => new Set(ids === "" ? [] : ids.split(" ")), [ids]);
}
