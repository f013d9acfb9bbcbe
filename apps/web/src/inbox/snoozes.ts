import type { SessionView } from "@askbox/core";
import { snoozedUntil } from "@askbox/inbox/list";
import { useTimed } from "@askbox/react";
import { useMemo } from "react";

/** The ids of the questions that are snoozed now. */
export function useSnoozed(sessions: ReadonlyMap<string, SessionView>): ReadonlySet<string> {
  const ids = useTimed((now) =>
    [...sessions.values()].flatMap((session) => (snoozedUntil(session, now) === undefined ? [] : session.id)).join(" "),
  );
  return useMemo(() => new Set(ids === "" ? [] : ids.split(" ")), [ids]);
}
