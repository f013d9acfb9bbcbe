import type { SessionView } from "@askbox/core";
import { useTimed } from "@askbox/react";
import { useMemo } from "react";
import { reminderLead } from "./reminder-lead.ts";

/** The latest time until which a question may be snoozed, so that it returns before its end. Infinity without a deadline. */
export function latestWake(session: SessionView): number {
  return session.deadlineAt === null ? Number.POSITIVE_INFINITY : session.deadlineAt - reminderLead(session);
}

/** Whether the question is snoozed at this time. */
export function isSnoozed(session: SessionView, now: number): boolean {
  return session.snoozedUntil !== undefined && now < Math.min(session.snoozedUntil, latestWake(session));
}

/** The ids of the questions that are snoozed now. */
export function useSnoozed(sessions: ReadonlyMap<string, SessionView>): ReadonlySet<string> {
  const ids = useTimed((now) => [...sessions.values()].flatMap((session) => (isSnoozed(session, now) ? session.id : [])).join(" "));
  return useMemo(() => new Set(ids === "" ? [] : ids.split(" ")), [ids]);
}
