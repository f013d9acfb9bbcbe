import type { Desk, DeskQuery, SessionView, Status } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";

/** The largest page that a hub gives. */
const pageSize = 1_000;
/** Whether denied actions are among the answered ones, or looked for by themselves. */
export type Shown = Status | "denied" | "all";

/** All sessions with a status, in the order of `sessionsOf`. */
export async function allSessions(desk: Desk, status: Shown): Promise<SessionView[]> {
  return (await sessionsOf(desk, status)).sessions;
}

/**
 * The sessions with a status that match the filter: pending ones oldest first, since they should be answered in that order; others newest
 * first. At most `limit`, and whether there are more.
 */
export async function sessionsOf(
  desk: Desk,
  status: Shown,
  filter: Pick<DeskQuery, "text" | "project" | "agentId" | "clientName" | "machine"> = {},
  limit = Number.POSITIVE_INFINITY,
): Promise<{ sessions: SessionView[]; areMore: boolean }> {
  const sessions: SessionView[] = [];
  let cursor: string | undefined;
  do {
    const page = await desk.list({
      ...filter,
      ...(status === "all" ? {} : { statuses: [status === "denied" ? "answered" : status] }),
      order: status === "pending" ? "oldest" : "newest",
      // One more than is shown, to know whether there are more.
      limit: status === "denied" ? pageSize : Math.min(pageSize, limit - sessions.length + 1),
      cursor,
    });
    sessions.push(...(status === "denied" ? page.items.filter(isDenied) : page.items));
    cursor = page.nextCursor;
  } while (cursor !== undefined && sessions.length <= limit);
  return { sessions: sessions.slice(0, limit), areMore: sessions.length > limit };
}
