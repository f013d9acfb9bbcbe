import type { Desk, DeskPage, DeskQuery, SessionView, Status } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";

type SettledStatus = Exclude<Status, "pending">;
const settledStatuses: readonly SettledStatus[] = ["answered", "cancelled", "timed_out"];
/** How a session ended, as people tell it apart: a denied action is an answer, too. */
export const endings = ["answered", "denied", "cancelled", "timed_out"] as const;
type Ending = (typeof endings)[number];

/** Pages that are read at most to fill one of the list, when only a few of their sessions match. */
const maxPages = 10;

/** The filter for settled sessions; all criteria must match. */
export interface HistoryFilter {
  text: string;
  project?: string | undefined;
  client?: string | undefined;
  ending?: Ending | undefined;
}

export const everything: HistoryFilter = Object.freeze({ text: "" });

export function isFiltered({ text, project, client, ending }: HistoryFilter): boolean {
  return text.trim() !== "" || project !== undefined || client !== undefined || ending !== undefined;
}

function deskQueryOf({ text, project, client, ending }: HistoryFilter): DeskQuery {
  return {
    statuses: ending === undefined ? settledStatuses : [ending === "denied" ? "answered" : ending],
    ...(text.trim() === "" ? {} : { text: text.trim() }),
    project,
    clientName: client,
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
