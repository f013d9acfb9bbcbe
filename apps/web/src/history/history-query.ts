import type { Desk, DeskQuery, SessionView, Status } from "@askbox/core";

export type SettledStatus = Exclude<Status, "pending">;
export const settledStatuses: readonly SettledStatus[] = ["answered", "cancelled", "timed_out"];

/** The filter for settled sessions; all criteria must match. */
export interface HistoryFilter {
  text: string;
  project?: string | undefined;
  client?: string | undefined;
  status?: SettledStatus | undefined;
}

export const everything: HistoryFilter = Object.freeze({ text: "" });

export function isFiltered({ text, project, client, status }: HistoryFilter): boolean {
  return text.trim() !== "" || project !== undefined || client !== undefined || status !== undefined;
}

export function deskQueryOf({ text, project, client, status }: HistoryFilter): DeskQuery {
  return {
    statuses: status === undefined ? settledStatuses : [status],
    ...(text.trim() === "" ? {} : { text: text.trim() }),
    project,
    clientName: client,
  };
}

/** Reads settled sessions page by page, newest first, until the end, until `bound` is reached, or until the loop is left. */
export async function* settledPages(
  desk: Desk,
  { filter = everything, bound, pageSize = 200 }: { filter?: HistoryFilter; bound: number; pageSize?: number },
): AsyncGenerator<{ items: SessionView[]; hasMore: boolean }> {
  let cursor: string | undefined;
  for (let read = 0; read < bound; ) {
    const limit = Math.min(pageSize, bound - read);
    const page = await desk.list({ ...deskQueryOf(filter), limit, cursor });
    read += page.items.length;
    cursor = page.nextCursor;
    yield { items: page.items, hasMore: cursor !== undefined };
    if (cursor === undefined) return;
  }
}
