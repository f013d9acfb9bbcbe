import type { News } from "../ports/asker.ts";
import type { StoreQuery } from "../ports/store.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";
import type { BrokerContext } from "./context.ts";

/** What waits for an agent: what has happened to its questions, and was not delivered to it. Read from the store each time, so that a restart loses nothing. */

/** Sessions of a page, and pages: with more, the newest are read. */
const [perPage, maxPages] = [50, 100];

/** What happened at or after `since` (wall time), oldest first. `isWhole`: there were not too many sessions to read. */
export async function newsOf(
  { store }: Pick<BrokerContext, "store">,
  query: Pick<StoreQuery, "owner" | "scope">,
  { since, isFor }: { since: number; isFor(record: SessionRecord): boolean },
): Promise<{ news: News[]; isWhole: boolean }> {
  const news: News[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages && (page === 0 || cursor !== undefined); page += 1) {
    const { sessions, next } = await store.list({ ...query, undelivered: true, limit: perPage, cursor });
    news.push(...sessions.filter(isFor).flatMap(newsIn));
    cursor = next;
  }
  const recent = news.filter(({ at }) => at >= since).sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  return { news: recent, isWhole: cursor === undefined };
}

/** A name of each that no other has, and that stays the same. */
function newsIn(session: SessionRecord): News[] {
  const { id: sessionId, state, closedAt, context, reply, delivery } = session;
  const told = (name: string, status: News["status"], at: number): News => ({ id: `${sessionId}_${name}`, sessionId, status, at });
  const isWithdrawn = context.outcome?.kind === "cancelled" && context.outcome.by.surface === "asker";
  const isLeft = state !== "pending" && closedAt !== null && delivery.deliveredAt === null;
  return [
    ...(isLeft ? [told("ended", isWithdrawn ? "withdrawn" : state, closedAt)] : []),
    ...(reply === undefined || reply.deliveredAt !== undefined ? [] : [told("replied", "replied", reply.at)]),
    ...askedBack(session).map(({ id, at }) => told(id, "askedBack", at)),
  ];
}
