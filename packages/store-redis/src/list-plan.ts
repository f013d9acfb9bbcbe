import type { SessionRecord } from "@askbox/core";
import { isUndelivered, readCursor, type StoreQuery, searchText, searchWords } from "@askbox/core/stores";
import { agentToken, askToken, exact, fromExact, fromTimeToken, nameToken, textToken, timeToken } from "./values.ts";

/** A range of the index that contains every session a query can match. */
export interface Plan {
  /** The common prefix of its members. */
  start: string;
  /** Whether its members are ordered by time; if not, all must be read to find the first. */
  isInOrder: boolean;
  /** Whether every session in it matches the query. */
  isExact: boolean;
}

const isPendingOnly = ({ states }: Pick<StoreQuery, "states">) =>
  states !== undefined && states.length > 0 && states.every((state) => state === "pending");

/** How to find the sessions of a query. */
export function planFor(query: StoreQuery): Plan {
  const { states, owner, scope, digest, agentId, undelivered, idPrefix, ...rest } = query;
  const others = Object.entries(rest).filter(([name, value]) => value !== undefined && !["limit", "cursor", "order"].includes(name));
  const conditions = [owner, scope, digest, agentId, undelivered].filter((value) => value !== undefined).length;
  if (idPrefix !== undefined && idPrefix !== "") return { start: `i${exact(idPrefix)}`, isInOrder: false, isExact: false };
  if (undelivered === true && scope !== undefined) return { start: `u${textToken(scope)}`, isInOrder: true, isExact: false };
  if (isPendingOnly(query)) {
    if (owner !== undefined && scope !== undefined && digest !== undefined) {
      return { start: `d${askToken(owner, scope, digest)}`, isInOrder: true, isExact: conditions === 3 && others.length === 0 };
    }
    if (owner !== undefined && agentId !== undefined) {
      return { start: `o${textToken(owner)}${agentToken(agentId)}`, isInOrder: true, isExact: conditions === 2 && others.length === 0 };
    }
    return { start: "p", isInOrder: true, isExact: conditions === 0 && others.length === 0 };
  }
  if (undelivered === true) return { start: "u", isInOrder: false, isExact: false };
  return { start: "a", isInOrder: true, isExact: states === undefined && conditions === 0 && others.length === 0 };
}

/** At most one pending session has this owner and key. */
export function nameOf(query: StoreQuery): string | undefined {
  return isPendingOnly(query) && query.owner !== undefined && query.key !== undefined ? nameToken(query.owner, query.key) : undefined;
}

/** How to read a count from the index without reading sessions; undefined if that is not possible. */
export function countedBy(query: Pick<StoreQuery, "states" | "owner" | "scope" | "agentId">): string | undefined {
  if (!isPendingOnly(query) || query.scope !== undefined) return undefined;
  if (query.owner === undefined) return query.agentId === undefined ? "p" : undefined;
  return `o${textToken(query.owner)}${query.agentId === undefined ? "" : agentToken(query.agentId)}`;
}

/** A session's position in the index. */
export interface IndexEntry {
  /** Sorts as time, then id. */
  order: string;
  /** As written in the index. */
  key: string;
}

// keys: single letters.
const idsAt: Readonly<Record<string, number>> = { a: 17, p: 17, d: 28, u: 28, o: 39 };

export function placeOf(member: string): IndexEntry {
  if (member.startsWith("i")) {
    const key = member.slice(1, -17);
    return { key, order: `${member.slice(-16)}${key}` };
  }
  const at = idsAt[member.charAt(0)] ?? 17;
  return { key: member.slice(at), order: member.slice(at - 16) };
}

export const placeOfCursor = (cursor: string): string => {
  const { createdAt, id } = readCursor(cursor);
  return `${timeToken(createdAt)}${exact(id)}`;
};

export const positionOf = ({ order, key }: IndexEntry) => ({ createdAt: fromTimeToken(order.slice(0, 16)), id: fromExact(key) });

/** Whether a session matches the query, ignoring the cursor. */
export function matcher(query: StoreQuery): (record: SessionRecord) => boolean {
  const { states, owner, scope, digest, key, project, agentId, clientName, undelivered, closedSince, idPrefix } = query;
  const words = searchWords(query.text ?? "");
  return (record) =>
    (states === undefined || states.includes(record.state)) &&
    (owner === undefined || record.owner === owner) &&
    (scope === undefined || record.scope === scope) &&
    (digest === undefined || record.digest === digest) &&
    (key === undefined || record.key === key) &&
    (project === undefined || record.asker.project === project) &&
    (agentId === undefined || record.asker.agentId === agentId) &&
    (clientName === undefined || record.asker.client.name === clientName) &&
    (undelivered === undefined || isUndelivered(record) === undelivered) &&
    (closedSince === undefined || (record.closedAt !== null && record.closedAt >= closedSince)) &&
    (idPrefix === undefined || record.id.startsWith(idPrefix)) &&
    (words.length === 0 || hasEach(searchText(record), words));
}

const hasEach = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));
