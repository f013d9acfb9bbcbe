import type { StoreQuery } from "../ports/store.ts";
import { isUndelivered, isUnseenWithdrawal, type SessionRecord, type SessionState } from "../session/record.ts";
import { searchText, searchWords } from "../session/search-text.ts";
import { type PagePosition, pageCursor, pageLimit, readCursor } from "./pages.ts";
import { type TallyFact, tallyFact } from "./tally-fact.ts";

/** A session in the memory store: the record as JSON, and its search fields. */
export interface Entry extends PagePosition {
  readonly revision: number;
  readonly state: SessionState;
  readonly owner: string;
  readonly scope: string;
  readonly digest: string;
  readonly key: string | undefined;
  readonly project: string | undefined;
  readonly agentId: string | undefined;
  readonly machine: string | undefined;
  readonly clientName: string;
  readonly closedAt: number | null;
  readonly deadlineAt: number | null;
  readonly undelivered: boolean;
  readonly isUnseenWithdrawal: boolean;
  /** What counts of it, once it is settled. */
  readonly fact: TallyFact | undefined;
  readonly search: string;
  readonly body: string;
}

export function entryOf(record: SessionRecord): Entry {
  const { id, revision, state, owner, scope, digest, key, createdAt, closedAt, asker } = record;
  return {
    id,
    revision,
    state,
    owner,
    scope,
    digest,
    key,
    project: asker.project,
    agentId: asker.agentId,
    machine: asker.machine,
    clientName: asker.client.name,
    createdAt,
    closedAt,
    deadlineAt: record.context.deadlineAt,
    undelivered: isUndelivered(record),
    isUnseenWithdrawal: isUnseenWithdrawal(record),
    fact: tallyFact(record),
    search: searchText(record),
    body: JSON.stringify(record),
  };
}

export const recordOf = (entry: Entry): SessionRecord => JSON.parse(entry.body) as SessionRecord;

const byTime = (left: PagePosition, right: PagePosition) =>
  left.createdAt - right.createdAt || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);

/** Groups of sessions that are looked up together, so that frequent queries need not scan all sessions. */
function groupsOf(entry: Entry): string[] {
  const groups = ["all", `digest ${entry.digest}`];
  if (entry.state === "pending") groups.push("pending", `pending owner ${entry.owner}`, `pending scope ${entry.scope}`);
  if (entry.undelivered) groups.push("undelivered", `undelivered scope ${entry.scope}`);
  return groups;
}

/** The groups that each contain every session the query can match. */
function groupsFor(query: StoreQuery): string[] {
  const groups = ["all"];
  if (query.digest !== undefined) groups.push(`digest ${query.digest}`);
  if (query.states?.every((state) => state === "pending")) {
    groups.push("pending");
    if (query.owner !== undefined) groups.push(`pending owner ${query.owner}`);
    if (query.scope !== undefined) groups.push(`pending scope ${query.scope}`);
  }
  if (query.undelivered === true) {
    groups.push("undelivered");
    if (query.scope !== undefined) groups.push(`undelivered scope ${query.scope}`);
  }
  return groups;
}

/** Answers `StoreQuery`s over entries. */
export class MemoryIndex {
  readonly #groups = new Map<string, SortedList<Entry>>();

  add(entry: Entry, names: Iterable<string> = groupsOf(entry)): void {
    for (const name of names) {
      const group = this.#groups.get(name) ?? new SortedList<Entry>(byTime);
      group.add(entry);
      this.#groups.set(name, group);
    }
  }

  /** Like removing and adding, but without moving later items if its position does not change. */
  replace(before: Entry, after: Entry): void {
    if (byTime(before, after) !== 0) {
      this.remove(before);
      this.add(after);
      return;
    }
    const [left, entered] = [new Set(groupsOf(before)), new Set(groupsOf(after))];
    for (const name of left) if (entered.delete(name) && left.delete(name)) this.#groups.get(name)?.replace(before, after);
    this.remove(before, left);
    this.add(after, entered);
  }

  remove(entry: Entry, names: Iterable<string> = groupsOf(entry)): void {
    for (const name of names) {
      const group = this.#groups.get(name);
      group?.remove(entry);
      if (group?.size === 0) this.#groups.delete(name);
    }
  }

  list(query: StoreQuery): { entries: Entry[]; next?: string } {
    const limit = pageLimit(query.limit);
    const entries: Entry[] = [];
    for (const entry of this.#walk(query)) {
      const last = entries.at(-1);
      if (entries.length === limit && last !== undefined) return { entries, next: pageCursor(last) };
      entries.push(entry);
    }
    return { entries };
  }

  count(query: StoreQuery): number {
    const { states, owner, scope, ...rest } = query;
    const isGroup = states?.length === 1 && states[0] === "pending" && (owner === undefined || scope === undefined);
    // Exactly the sessions of one group, so no scan is needed.
    if (isGroup && Object.values(rest).every((value) => value === undefined)) return this.#smallestGroup(query)?.size ?? 0;
    let count = 0;
    for (const _ of this.#walk(query)) count += 1;
    return count;
  }

  *#walk(query: StoreQuery): Generator<Entry> {
    const group = this.#smallestGroup(query);
    const position = query.cursor === undefined ? undefined : readCursor(query.cursor);
    if (group === undefined) return;
    const matches = matcher(query);
    const oldestFirst = query.order === "oldest";
    let index = oldestFirst ? 0 : group.size - 1;
    if (position !== undefined) {
      index = oldestFirst
        ? group.countWhile((entry) => byTime(entry, position) <= 0)
        : group.countWhile((entry) => byTime(entry, position) < 0) - 1;
    }
    for (; index >= 0 && index < group.size; index += oldestFirst ? 1 : -1) {
      const entry = group.at(index);
      if (entry !== undefined && matches(entry)) yield entry;
    }
  }

  #smallestGroup(query: StoreQuery): SortedList<Entry> | undefined {
    let smallest: SortedList<Entry> | undefined;
    for (const name of groupsFor(query)) {
      const group = this.#groups.get(name);
      if (group === undefined) return undefined;
      if (smallest === undefined || group.size < smallest.size) smallest = group;
    }
    return smallest;
  }
}

function matcher(query: StoreQuery): (entry: Entry) => boolean {
  const words = searchWords(query.text ?? "");
  const { states, owner, scope, digest, key, project, agentId, clientName, machine, undelivered, closedSince, idPrefix } = query;
  return (entry) =>
    (states === undefined || states.includes(entry.state)) &&
    (owner === undefined || entry.owner === owner) &&
    (scope === undefined || entry.scope === scope) &&
    (digest === undefined || entry.digest === digest) &&
    (key === undefined || entry.key === key) &&
    (project === undefined || entry.project === project) &&
    (agentId === undefined || entry.agentId === agentId) &&
    (clientName === undefined || entry.clientName === clientName) &&
    (machine === undefined || entry.machine === machine) &&
    (undelivered === undefined || entry.undelivered === undelivered) &&
    (closedSince === undefined || (entry.closedAt !== null && entry.closedAt >= closedSince)) &&
    (idPrefix === undefined || entry.id.startsWith(idPrefix)) &&
    words.every((word) => entry.search.includes(word));
}

/** Items in ascending order. Appending, as for new sessions, is cheap; finding a position is logarithmic. */
export class SortedList<Item> {
  readonly #compare: (left: Item, right: Item) => number;
  #items: Item[] = [];

  /** `compare` must distinguish any two different items. */
  constructor(compare: (left: Item, right: Item) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  at(index: number): Item | undefined {
    return this.#items[index];
  }

  add(item: Item): void {
    this.#items.splice(
      this.countWhile((other) => this.#compare(other, item) < 0),
      0,
      item,
    );
  }

  remove(item: Item): void {
    const index = this.countWhile((other) => this.#compare(other, item) < 0);
    const found = this.#items[index];
    if (found !== undefined && this.#compare(found, item) === 0) this.#items.splice(index, 1);
  }

  /** Replaces `before` with `after`, which must compare as equal; returns undefined if it is not there. */
  replace(before: Item, after: Item): void {
    const index = this.countWhile((other) => this.#compare(other, before) < 0);
    const found = this.#items[index];
    if (found !== undefined && this.#compare(found, before) === 0) this.#items[index] = after;
  }

  /** How many leading items satisfy a condition that, in this order, is first true and then false. */
  countWhile(holds: (item: Item) => boolean): number {
    const last = this.#items.at(-1);
    if (last === undefined || holds(last)) return this.#items.length;
    let low = 0;
    let high = this.#items.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#items[middle] as Item)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
