import { type SessionView, toAskboxError } from "@askbox/core";
import { useAskbox, useInbox } from "@askbox/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { type HistoryFilter, settledPage } from "./history-query.ts";

const pageSize = 50;

interface Listed {
  /** The filter of these sessions; they stay on the page until the results of the next filter arrive. */
  filter: HistoryFilter | undefined;
  items: readonly SessionView[];
  cursor: string | undefined;
  error: string | undefined;
}

export interface History extends Omit<Listed, "filter" | "cursor"> {
  isReady: boolean;
  hasMore: boolean;
  loadMore(): void;
  retry(): void;
}

/** The settled sessions that match, as far as the user has scrolled, updated as more settle. */
export function useHistory(filter: HistoryFilter): History {
  const { desk } = useAskbox();
  const { settled } = useInbox();
  const [listed, setListed] = useState<Listed>({ filter: undefined, items: [], cursor: undefined, error: undefined });
  const [attempt, setAttempt] = useState(0);
  const isReading = useRef(false);
  const seen = useRef(new Set<string>());

  const fail = (thrown: unknown) => setListed((now) => ({ ...now, filter, error: toAskboxError(thrown).message }));

  useEffect(() => {
    let left = false;
    settledPage(desk, filter, { limit: pageSize }).then(
      ({ items, nextCursor }) => {
        if (!left) setListed({ filter, items, cursor: nextCursor, error: undefined });
      },
      (thrown: unknown) => {
        if (!left) fail(thrown);
      },
    );
    return () => {
      left = true;
    };
  }, [desk, filter, attempt]);

  const loadMore = () => {
    const { cursor } = listed;
    if (cursor === undefined || listed.filter !== filter || isReading.current) return;
    isReading.current = true;
    settledPage(desk, filter, { limit: pageSize, cursor })
      .then(
        ({ items, nextCursor }) =>
          setListed((now) =>
            now.filter !== filter ? now : { ...now, items: merge(items, now.items), cursor: nextCursor, error: undefined },
          ),
        fail,
      )
      .finally(() => {
        isReading.current = false;
      });
  };

  // Whether a session that settles now matches is for the hub to decide.
  const catchUp = useEffectEvent(async (sessions: readonly SessionView[]) => {
    const known = new Map(listed.items.map(({ id, revision }) => [id, revision]));
    const changed = sessions.filter(({ id, revision }) => {
      const isNew = !seen.current.has(`${id} ${revision}`) && (known.get(id) ?? 0) < revision;
      seen.current.add(`${id} ${revision}`);
      return isNew;
    });
    if (changed.length === 0) return;
    try {
      const { items } = await settledPage(desk, filter, { limit: pageSize });
      setListed((now) => (now.filter === filter ? { ...now, items: merge(items, now.items) } : now));
    } catch {
      // The connection bar shows that the hub is away; the next change or filter reads again.
    }
  });
  useEffect(() => {
    void catchUp([...settled.values()]);
  }, [settled]);

  return {
    items: listed.items,
    error: listed.error,
    isReady: listed.filter !== undefined,
    hasMore: listed.filter === filter && listed.cursor !== undefined,
    loadMore,
    retry: () => setAttempt(attempt + 1),
  };
}

/** Merges both, newest first; for a session in both, `fresh` wins. */
function merge(fresh: readonly SessionView[], known: readonly SessionView[]): SessionView[] {
  const byId = new Map([...known, ...fresh].map((session) => [session.id, session]));
  return [...byId.values()].sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}
