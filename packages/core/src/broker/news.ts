import type { News } from "../ports/asker.ts";
import type { StoreQuery } from "../ports/store.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";
import type { BrokerContext } from "./context.ts";

/**
 * What has happened to an asker's questions, read from the store each time, so that a restart loses nothing: how they ended, and what is left
 * for the agent besides, which is a reply after the deadline or what a person asked back.
 */

/** Sessions of a page, and pages: a store with more has the newest of them read. */
const [perPage, maxPages] = [50, 100];

/** What happened at or after `since` (wall time), oldest first. `isWhole`: there were not too many sessions to read. */
export async function newsOf(
  { store }: Pick<BrokerContext, "store">,
  query: Pick<StoreQuery, "owner" | "clientName">,
  { since, isFor }: { since: number; isFor(record: SessionRecord): boolean },
): Promise<{ news: News[]; isWhole: boolean }> {
  const found = new Map<string, News>();
  const read = async (which: StoreQuery): Promise<boolean> => {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const { sessions, next } = await store.list({ ...query, ...which, limit: perPage, cursor });
      for (const one of sessions.filter(isFor).flatMap(newsIn)) if (one.at >= since) found.set(one.id, one);
      if (next === undefined) return true;
      cursor = next;
    }
    return false;
  };
  const isWhole = await read({ states: ["answered", "cancelled", "timedOut"], closedSince: since });
  await read({ undelivered: true });
  const news = [...found.values()].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  return { news, isWhole };
}

/** A name of each that no other has, and that stays the same. */
function newsIn(session: SessionRecord): News[] {
  const { id: sessionId, state, closedAt, context, reply } = session;
  const told = (name: string, status: News["status"], at: number): News => ({ id: `${sessionId}_${name}`, sessionId, status, at });
  const isWithdrawn = context.outcome?.kind === "cancelled" && context.outcome.by.surface === "asker";
  return [
    ...(state === "pending" || closedAt === null ? [] : [told("ended", isWithdrawn ? "withdrawn" : state, closedAt)]),
    ...(reply === undefined ? [] : [told("replied", "replied", reply.at)]),
    ...askedBack(session).map(({ id, at }) => told(id, "askedBack", at)),
  ];
}
