import type { SessionView } from "@askbox/core";
import { filterSessions, sortSessions, splitByPresence } from "@askbox/inbox";
import { besideSimilar, isIn } from "@askbox/inbox/list";
import { useInbox, useNow } from "@askbox/react";
import { useMemo } from "react";
import { useSettings } from "../stored-settings.ts";
import type { ListFilter } from "./filter.ts";
import { useSnoozed } from "./snoozes.ts";

/** The visible sessions, each part in the chosen order. */
export interface Listing {
  waiting: SessionView[];
  snoozed: SessionView[];
  /** Those whose agent has left. */
  left: SessionView[];
  /** Calls that a model has denied already. */
  denied: SessionView[];
  /** The number of sessions without the filter. */
  total: number;
}

/** The pending sessions that match the filter, without those being declined; similar approvals are beside each other. */
export function useListing(filter: ListFilter, declining: ReadonlySet<string>): Listing {
  const { pending } = useInbox();
  const { sort } = useSettings();
  const snoozed = useSnoozed(pending);
  // Presence changes over time.
  const now = useNow(10_000);
  return useMemo(() => {
    const all = [...pending.values()].filter(({ id }) => !declining.has(id));
    const narrowed = all.filter((session) => isIn(session, filter));
    const found = besideSimilar(sortSessions(filterSessions(narrowed, { text: filter.text }), sort));
    const split = splitByPresence(
      found.filter(({ id }) => !snoozed.has(id)),
      now,
    );
    return { ...split, snoozed: found.filter(({ id }) => snoozed.has(id)), total: all.length };
  }, [pending, filter, declining, sort, snoozed, now]);
}
