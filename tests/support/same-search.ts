import { memoryStore, type SessionRecord, type SessionStore } from "@askbox/core";
import type { StoreQuery } from "@askbox/core/stores";
import { anAsk, aRecord, settled } from "@askbox/core/testing";
import { expect } from "vitest";

const syllables = ["ka", "lo", "mi", "ter", "ÄN", "日本", "語", "👩‍🚀", "d-", "_%", "\u0000", "İ", "ß", '"x', "ре"];
const startOfTime = 1_700_000_000_000;

/** Numbers from 0 to below `limit`, always the same. */
function sequence(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % limit;
  };
}

/**
 * A store with a history of sessions, and the same in memory, where a search compares every text. Each search must find the same in both, in
 * the same order, over all pages.
 */
export function sameSearch(first: SessionStore, seed = 1) {
  let store = first;
  const memory = memoryStore();
  const next = sequence(seed);
  const ids: string[] = [];
  const both = async (work: (one: SessionStore) => Promise<unknown>) => expect(await work(store)).toEqual(await work(memory));
  const word = () => Array.from({ length: 1 + next(4) }, () => syllables[next(syllables.length)]).join("");
  const sentence = () => Array.from({ length: 1 + next(8) }, word).join(" ");

  const ask = (title: string, project = `/srv/p${next(3)}`): SessionRecord => {
    const number = ids.length;
    const record = aRecord({
      id: `find${String((number * 7_919) % 1_000_000).padStart(7, "0")}`,
      // Some at the same time, some before those that were asked earlier.
      createdAt: startOfTime + Math.floor(number / 3) - next(5),
      request: anAsk({ title, questions: [{ id: "q", type: "text", question: sentence(), required: true }] }),
    });
    return { ...record, asker: { ...record.asker, project } };
  };

  return {
    /** Goes on with the same store, opened again. */
    use(again: SessionStore): void {
      store = again;
    },
    /** Changes both stores. */
    both,
    async add(title: string): Promise<void> {
      const record = ask(title);
      ids.push(record.id);
      await both((one) => one.insert(record));
    },
    async addMany(count: number, atOnce = 200): Promise<void> {
      for (let left = count; left > 0; left -= atOnce) {
        const records = Array.from({ length: Math.min(left, atOnce) }, () => {
          const record = ask(sentence());
          ids.push(record.id);
          return record;
        });
        for (const one of [store, memory]) await Promise.all(records.map((record) => one.insert(record)));
      }
    },
    /** Answers some sessions; their texts change. */
    async changeMany(count: number): Promise<void> {
      for (let left = count; left > 0; left -= 1) {
        const id = ids[next(ids.length)] ?? "";
        const before = await memory.get(id);
        if (before === undefined) continue;
        const answer = [{ questionId: "q", values: [sentence()] }];
        const at = before.createdAt + 10;
        const after = settled(before, { kind: "answered", by: { surface: "web" }, at, answers: answer });
        await both((one) => one.replace({ ...after, revision: before.revision + 1 }, before.revision));
      }
    },
    /** Compares many searches: of words that are there, in part or not at all, with filters, in both orders, and over pages. */
    async compare(count = 40): Promise<void> {
      const queries: StoreQuery[] = [{ text: "nowhere" }, { text: "xyzzy plugh" }, { text: "ka" }, { text: "a" }, { text: "日" }];
      for (let left = count; left > 0; left -= 1) {
        const text = [
          word(),
          [...word()].slice(1).join(""),
          `${word()} ${[...word()].slice(0, 3).join("")}`,
          `${word()}${word()}${word()}`,
        ][left % 4];
        queries.push({
          text,
          limit: [1, 7, 100, 1_000][next(4)],
          order: next(2) === 0 ? "oldest" : "newest",
          ...[
            {},
            { states: ["pending"] as const },
            { project: "/srv/p1" },
            { states: ["answered"] as const, project: "/srv/p2" },
            { idPrefix: "find0" },
          ][next(5)],
        });
      }
      for (const query of queries) {
        for (let cursor: string | undefined, pages = 0; pages < 3; pages += 1) {
          const expected = await memory.list({ ...query, cursor });
          expect(await page(store, { ...query, cursor }), JSON.stringify({ ...query, cursor })).toEqual(
            expected.sessions.map(({ id, revision }) => [id, revision]),
          );
          cursor = expected.next;
          if (cursor === undefined) break;
        }
      }
    },
  };
}

/** A whole page: a store may end a long search early. */
async function page(store: SessionStore, query: StoreQuery): Promise<[string, number][]> {
  const found: [string, number][] = [];
  const limit = query.limit ?? 100;
  for (let cursor = query.cursor; ; ) {
    const { sessions, next } = await store.list({ ...query, cursor, limit: limit - found.length });
    found.push(...sessions.map(({ id, revision }): [string, number] => [id, revision]));
    if (next === undefined || found.length >= limit) return found;
    cursor = next;
  }
}
