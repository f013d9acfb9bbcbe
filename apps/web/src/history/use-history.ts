/** What the history lists: a filter as a query of the desk, one page after the other, and what has been settled meanwhile. */
import { type Desk, type DeskPage, type DeskQuery, type SessionView, type Status, toAskboxError } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";
import { useAskbox, useInbox } from "@askbox/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";

/** How a session ended, as people tell it apart: a denied action is an answer, too. */
export const endings = ["answered", "denied", "cancelled", "timed_out"] as const;

/** The filter for settled sessions; all criteria must match. */
export interface HistoryFilter {
  text: string;
  project?: string | undefined;
  client?: string | undefined;
  machine?: string | undefined;
  ending?: Ending | undefined;
}

export const everything: HistoryFilter = Object.freeze({ text: "" });

export function isFiltered({ text, ...chosen }: HistoryFilter): boolean {
  return text.trim() !== "" || Object.values(chosen).some((value) => value !== undefined);
}

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

type SettledStatus = Exclude<Status, "pending">;
const settledStatuses: readonly SettledStatus[] = ["answered", "cancelled", "timed_out"];

type Ending = (typeof endings)[number];

/** Pages that are read at most to fill one of the list, when only a few of their sessions match. */
const maxPages = 10;

function deskQueryOf({ text, project, client, machine, ending }: HistoryFilter): DeskQuery {
  return {
    statuses: ending === undefined ? settledStatuses : [ending === "denied" ? "answered" : ending],
    ...(text.trim() === "" ? {} : { text: text.trim() }),
    project,
    clientName: client,
    machine,
  };
}

/** One page of the sessions that match, at least one of them if there is one nearby. The hub knows no denials: they are among the answers. */
export async function settledPage(
  desk: Desk,
  filter: HistoryFilter,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<DeskPage> {
  const { ending } = filter;
  const matches = (session: SessionView) => isDenied(session) === (ending === "denied");
  let page = await desk.list({ ...deskQueryOf(filter), limit, cursor });
  if (ending !== "denied" && ending !== "answered") return page;
  for (let read = 1; read < maxPages && page.nextCursor !== undefined && !page.items.some(matches); read += 1) {
    page = await desk.list({ ...deskQueryOf(filter), limit, cursor: page.nextCursor });
  }
  return { ...page, items: page.items.filter(matches) };
}

/** Reads settled sessions page by page, newest first, until the end, until `bound` is reached, or until the loop is left. */
export async function* settledPages(
  desk: Desk,
  { filter = everything, bound, pageSize = 200 }: { filter?: HistoryFilter; bound: number; pageSize?: number },
): AsyncGenerator<{ items: SessionView[]; hasMore: boolean }> {
  let cursor: string | undefined;
  for (let read = 0; read < bound; ) {
    const limit = Math.min(pageSize, bound - read);
    const page = await settledPage(desk, filter, { limit, cursor });
    read += Math.max(1, page.items.length);
    cursor = page.nextCursor;
    yield { items: page.items, hasMore: cursor !== undefined };
    if (cursor === undefined) return;
  }
}
