import { setImmediate } from "node:timers/promises";
import type { Log, SessionRecord, Tally } from "@askbox/core";
import {
  isUndelivered,
  pageCursor,
  pageLimit,
  readCursor,
  readRecord,
  recordSchemaVersion,
  type StorePage,
  type StoreQuery,
  searchText,
  searchWords,
  type TallyFact,
  tallier,
  tallyFact,
} from "@askbox/core/stores";
import type { Link } from "./link.ts";
import { scripts } from "./scripts.ts";
import { candidatesFor } from "./search-index.ts";
import {
  agentToken,
  askToken,
  exact,
  fromExact,
  fromTimeToken,
  jsonOf,
  type Keys,
  nameToken,
  storedSession,
  textToken,
  timeToken,
} from "./values.ts";

/**
 * Lists and counts. A query is served from the part of the index that has the fewest others in it; what it can't say is compared in the
 * record. A search asks its own index first. Long reads are done in parts, so that neither the server nor this process is blocked.
 */

/** Sorts after every character of an index member, except those of ids. */
const afterAll = "\u{10ffff}";
/** Larger pages would keep asks and answers waiting while they are looked through. */
const readAtOnce = 50;
/** The maximum number of entries that one list reads; it then returns what it found, and a cursor to continue. */
const maxSessions = 20_000;
const maxCharacters = 33_554_432;
/** How many entries a search reads in order, where a frequent word soon fills the page, before it asks the search's index. */
const lookedFirst = 500;
/** The maximum size of an unordered range to sort here; beyond that, all sessions are read in order. */
const maxSorted = 5_000;

export interface ListerOptions {
  link: Pick<Link, "send" | "run">;
  keys: Keys;
  log: Log;
  /** Called if a search is slow because the index is not complete. */
  isBehind?: (() => void) | undefined;
}

interface Found {
  place: IndexEntry;
  value: string | null;
}

/** Answers `StoreQuery`s from the index, in short steps that do not block the server. */
export class Lister {
  readonly #options: ListerOptions;

  constructor(options: ListerOptions) {
    this.#options = options;
  }

  async list(query: StoreQuery): Promise<StorePage> {
    const limit = pageLimit(query.limit);
    if (query.states?.length === 0) return { sessions: [] };
    const matches = matcher(query);
    const sessions: SessionRecord[] = [];
    let last: IndexEntry | undefined;
    let looked = 0;
    let characters = 0;
    for await (const { place, value } of this.#walk(query, limit + 1)) {
      const record = this.#find(value, matches);
      const isFound = record !== undefined;
      if (isFound && sessions.length === limit && last !== undefined) return { sessions, next: pageCursor(positionOf(last)) };
      looked += 1;
      characters += value?.length ?? 0;
      last = isFound || sessions.length < limit ? place : last;
      if (isFound) sessions.push(record);
      if ((looked >= maxSessions || characters >= maxCharacters) && !isFound && last !== undefined) {
        return { sessions, next: pageCursor(positionOf(last)) };
      }
    }
    return { sessions };
  }

  async count(query: Pick<StoreQuery, "states" | "owner" | "scope" | "agentId">): Promise<number> {
    const { link, keys } = this.#options;
    const start = countedBy(query);
    if (start !== undefined) return link.send<number>(["ZLEXCOUNT", keys.index, `[${start}`, `(${start}${afterAll}`]);
    if (Object.values(query).every((value) => value === undefined)) return link.send<number>(["HLEN", keys.sessions]);
    const matches = matcher(query);
    let count = 0;
    for await (const { value } of this.#walk(query, readAtOnce)) {
      if (this.#find(value, matches) !== undefined) count += 1;
    }
    return count;
  }

  /** Counts what was asked since the first of these days. */
  async tally(days: readonly number[]): Promise<Tally> {
    const counted = tallier(days);
    const since = days[0] ?? Number.POSITIVE_INFINITY;
    for await (const { place, value } of this.#inOrder("a", readAtOnce, undefined, true)) {
      if (positionOf(place).createdAt < since) break;
      const fact = value === null ? undefined : this.#fact(value);
      if (fact !== undefined) counted.add(fact);
    }
    return counted.result();
  }

  /** Reads only what counts: checking whole records takes many times as long. */
  #fact(value: string): TallyFact | undefined {
    try {
      return tallyFact(JSON.parse(storedSession(value).body));
    } catch {
      return undefined;
    }
  }

  /** All candidates, in order, from the cursor on. */
  async *#walk(query: StoreQuery, wanted: number): AsyncGenerator<Found> {
    const isNewestFirst = query.order !== "oldest";
    const cursor = query.cursor === undefined ? undefined : placeOfCursor(query.cursor);
    const name = nameOf(query);
    const plan = planFor(query);
    const isSearch = plan.isInOrder && plan.start.length === 1 && searchWords(query.text ?? "").length > 0;
    if (name !== undefined) yield* this.#named(name, cursor, isNewestFirst);
    else if (isSearch) yield* this.#searched(plan.start, cursor, isNewestFirst, query.text ?? "");
    else if (plan.isInOrder) yield* this.#inOrder(plan.start, plan.isExact ? wanted : Math.min(wanted, readAtOnce), cursor, isNewestFirst);
    else yield* this.#sorted(plan.start, cursor, isNewestFirst);
  }

  async *#searched(start: string, cursor: string | undefined, isNewestFirst: boolean, text: string): AsyncGenerator<Found> {
    const { link, keys, isBehind = () => {} } = this.#options;
    let looked = 0;
    for await (const found of this.#inOrder(start, readAtOnce, cursor, isNewestFirst)) {
      yield found;
      looked += 1;
      if (looked !== lookedFirst) continue;
      const candidates = await candidatesFor(link, keys, text, isBehind);
      if (candidates === undefined) continue;
      const places = candidates.map((order) => ({ order, key: order.slice(16) }));
      yield* this.#ordered(places, found.place.order, isNewestFirst);
      return;
    }
  }

  async *#inOrder(start: string, atOnce: number, cursor: string | undefined, isNewestFirst: boolean): AsyncGenerator<Found> {
    const { link } = this.#options;
    let from = cursor !== undefined && !isNewestFirst ? `(${start}${cursor}` : `[${start}`;
    let to = cursor !== undefined && isNewestFirst ? `(${start}${cursor}` : `(${start}${afterAll}`;
    const fetch = () => link.run<(string | null)[]>(scripts.page, [from, to, String(atOnce), isNewestFirst ? "1" : "0"]);
    let next = fetch();
    for (let pages = 1; ; pages += 1) {
      const reply = await next;
      const isFull = reply.length >= 2 * atOnce;
      const end = String(reply[reply.length - 2]);
      if (isNewestFirst) to = `(${end}`;
      else from = `(${end}`;
      // A long search reads the next page while it looks through this one. The reader may stop before it gets there.
      const isLong = pages > 1;
      if (isLong) await setImmediate();
      if (isFull && isLong) {
        next = fetch();
        next.catch(() => {});
      }
      for (let at = 0; at + 1 < reply.length; at += 2) {
        const member = String(reply[at]);
        yield { place: placeOf(member), value: reply[at + 1] ?? null };
      }
      if (!isFull) return;
      if (!isLong) next = fetch();
    }
  }

  async *#sorted(start: string, cursor: string | undefined, isNewestFirst: boolean): AsyncGenerator<Found> {
    const { link, keys } = this.#options;
    const range = [`[${start}`, `(${start}${afterAll}`, "LIMIT", "0", String(maxSorted + 1)];
    const members = await link.send<string[]>(["ZRANGEBYLEX", keys.index, ...range]);
    if (members.length > maxSorted) {
      yield* this.#inOrder("a", readAtOnce, cursor, isNewestFirst);
      return;
    }
    yield* this.#ordered(members.map(placeOf), cursor, isNewestFirst);
  }

  /** These, in order, from the cursor on. */
  async *#ordered(entries: IndexEntry[], cursor: string | undefined, isNewestFirst: boolean): AsyncGenerator<Found> {
    const { link, keys } = this.#options;
    const places = entries.sort((left, right) => (left.order < right.order ? -1 : left.order > right.order ? 1 : 0));
    if (isNewestFirst) places.reverse();
    const rest = cursor === undefined ? places : places.filter(({ order }) => (isNewestFirst ? order < cursor : order > cursor));
    for (let at = 0; at < rest.length; at += readAtOnce) {
      const some = rest.slice(at, at + readAtOnce);
      const values = await link.send<(string | null)[]>(["HMGET", keys.sessions, ...some.map(({ key }) => key)]);
      for (const [index, place] of some.entries()) yield { place, value: values[index] ?? null };
    }
  }

  async *#named(name: string, cursor: string | undefined, isNewestFirst: boolean): AsyncGenerator<Found> {
    const { link, keys } = this.#options;
    const key = await link.send<string | null>(["HGET", keys.names, name]);
    const value = key === null ? null : await link.send<string | null>(["HGET", keys.sessions, key]);
    if (key === null || value === null) return;
    const time = value.slice(0, value.indexOf("\n")).split(" ", 4)[3] ?? "";
    const place = { key, order: `${time}${key}` };
    if (cursor === undefined || (isNewestFirst ? place.order < cursor : place.order > cursor)) yield { place, value };
  }

  /**
   * The session, if it matches. Validating a record costs several times as much as comparing it, so only those that match are validated.
   * Undefined for a session that is gone or cannot be read; the others are returned.
   */
  #find(value: string | null, matches: (record: SessionRecord) => boolean): SessionRecord | undefined {
    if (value === null) return undefined;
    try {
      const stored = jsonOf(storedSession(value).body);
      if (isOther(stored, matches)) return undefined;
      const record = readRecord(stored);
      return matches(record) ? record : undefined;
    } catch (error) {
      this.#options.log("warn", "A stored record cannot be read and is left out.", {
        reason: error instanceof Error ? error.message : String(error),
      });
      return undefined;
    }
  }
}

/** Whether a record of this schema does not match, as far as that can be said without validating it. */
function isOther(stored: unknown, matches: (record: SessionRecord) => boolean): boolean {
  try {
    const record = stored as SessionRecord;
    return record.schema === recordSchemaVersion && !matches(record);
  } catch {
    return false;
  }
}

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
function planFor(query: StoreQuery): Plan {
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
function countedBy(query: Pick<StoreQuery, "states" | "owner" | "scope" | "agentId">): string | undefined {
  if (!isPendingOnly(query) || query.scope !== undefined) return undefined;
  if (query.owner === undefined) return query.agentId === undefined ? "p" : undefined;
  return `o${textToken(query.owner)}${query.agentId === undefined ? "" : agentToken(query.agentId)}`;
}

/** A session's position in the index. */
interface IndexEntry {
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

const placeOfCursor = (cursor: string): string => {
  const { createdAt, id } = readCursor(cursor);
  return `${timeToken(createdAt)}${exact(id)}`;
};

const positionOf = ({ order, key }: IndexEntry) => ({ createdAt: fromTimeToken(order.slice(0, 16)), id: fromExact(key) });

/** Whether a session matches the query, ignoring the cursor. */
export function matcher(query: StoreQuery): (record: SessionRecord) => boolean {
  const { states, owner, scope, digest, key, project, agentId, clientName, machine, undelivered, closedSince, idPrefix } = query;
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
    (machine === undefined || record.asker.machine === machine) &&
    (undelivered === undefined || isUndelivered(record) === undelivered) &&
    (closedSince === undefined || (record.closedAt !== null && record.closedAt >= closedSince)) &&
    (idPrefix === undefined || record.id.startsWith(idPrefix)) &&
    (words.length === 0 || hasEach(searchText(record), words));
}

const hasEach = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));
