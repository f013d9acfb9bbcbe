import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { blockSize } from "@askbox/core/stores";
import { anAsk, aRecord, fakeClock, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { sameSearch } from "../../../tests/support/same-search.ts";
import { connect, sqliteOpener } from "../src/connection.ts";
import { checkIntegrity } from "../src/index.ts";
import { changingColumns, constantColumns, pick, recordOf, sessionColumns, sessionRow, statements } from "../src/rows.ts";
import { openStoreWith } from "../src/sqlite-store.ts";
import { freshPath } from "./temp-folder.ts";

const dropIndex = `DROP TRIGGER search_inserted; DROP TRIGGER search_changed; DROP TRIGGER search_removed;
  DROP TABLE search_waiting; DROP TABLE search_blocks; DROP TABLE search_parts;`;

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** A store whose clock a test moves, and that counts the statements of its lists. */
async function openedStore(path = freshPath()) {
  const clock = fakeClock({ settle: () => setImmediate() });
  const opener = await sqliteOpener();
  let lists = 0;
  const counting: typeof opener = (...of) =>
    new Proxy(opener(...of), {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (name !== "prepare") return value.bind(target);
        return (sql: string) => {
          const statement = target.prepare(sql);
          if (!sql.startsWith("SELECT created_at, id, body")) return statement;
          const all = (...values: never[]) => {
            lists += 1;
            return statement.all(...values);
          };
          return { all };
        };
      },
    });
  const store = await openStoreWith(counting, { path }, clock);
  const count = (table: string) => {
    const database = new DatabaseSync(path, { readOnly: true });
    const found = Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.["count"]);
    database.close();
    return found;
  };
  return {
    path,
    store,
    clock,
    waiting: () => count("search_waiting"),
    blocks: () => count("search_blocks"),
    parts: () => count("search_parts"),
    async indexed() {
      for (let turns = 0; count("search_waiting") >= blockSize || clock.pendingTimers() > 0; turns += 1) {
        if (turns > 10_000) throw new Error("It never ends.");
        await clock.advance(30);
      }
    },
    /** How many parts of the sessions a search reads. */
    async readsOf(text: string) {
      const before = lists;
      await store.list({ text });
      return lists - before;
    },
  };
}

describe("a search of the SQLite store", () => {
  test("that finds nothing, or something old, doesn't look through the sessions", async () => {
    const { store, indexed, readsOf, waiting } = await openedStore();
    const { add, addMany, compare } = sameSearch(store);
    await add("the haystack's oldest needle");
    await addMany(4 * blockSize);
    // As before there was an index: 2,000 sessions at a time, until it has looked through all.
    expect(await readsOf("nowhere at all")).toBe(3);
    await indexed();
    expect(waiting()).toBeLessThan(blockSize);
    // The first 2,000, and the candidates.
    expect(await readsOf("nowhere at all")).toBe(2);
    expect(await readsOf("needle")).toBe(2);
    expect(await readsOf("ka")).toBe(1);
    await compare(8);
    await store.close();
  });

  test("finds what a comparison of every text finds, while the index is made and while sessions change and go", async () => {
    const { path, store, clock, indexed, blocks, parts, waiting } = await openedStore();
    const { addMany, changeMany, compare, both } = sameSearch(store, 7);
    await addMany(2 * blockSize);
    for (let round = 0; round < 3; round += 1) {
      // The index has read some of these texts, and not yet stored what it read.
      for (let turns = 0; turns < 12; turns += 1) await clock.advance(30);
      await changeMany(100);
      await compare(4);
    }
    await indexed();
    await changeMany(100);
    await compare(12);
    expect(blocks()).toBeGreaterThanOrEqual(2);
    await both((one) => one.remove({ closedBefore: Number.MAX_SAFE_INTEGER }));
    await compare(4);
    await addMany(2 * blockSize);
    await indexed();
    await compare(12);
    expect(waiting()).toBeLessThan(blockSize);
    expect(parts()).toBeLessThanOrEqual(256 * blocks());
    expect(await checkIntegrity(path)).toEqual({ ok: true, problems: [] });
    await store.close();
  });

  test("finds a session whose text changed after the index had read it and before it was stored", async () => {
    const first = await openedStore();
    await sameSearch(first.store, 9).addMany(2 * blockSize);
    await first.store.close();
    // It begins again, with the newest.
    const { store, clock, indexed, blocks } = await openedStore(first.path);
    const newest = (await store.list({ limit: 1 })).sessions[0] ?? expect.unreachable();
    const before = blocks();
    for (let turns = 0; turns < 10; turns += 1) await clock.advance(30);
    expect(blocks()).toBe(before);
    const changed = { ...newest, revision: 2, request: anAsk({ title: "The needle" }) };
    await store.replace(changed, 1);
    await indexed();
    expect(blocks()).toBe(2);
    expect((await store.list({ text: "needle", order: "oldest" })).sessions).toEqual([changed]);
    await store.close();
  });

  test("keeps no blocks of sessions that are gone", async () => {
    const { store, indexed, blocks, parts } = await openedStore();
    const same = sameSearch(store, 13);
    await same.addMany(2 * blockSize);
    await indexed();
    const { sessions } = await store.list({ limit: 1_000 });
    const kept = sessions[0]?.id;
    for (let cursor: string | undefined, isLast = false; !isLast; ) {
      const page = await store.list({ limit: 1_000, cursor });
      const others = page.sessions.filter(({ id }) => id !== kept);
      await Promise.all(others.map((one) => store.replace({ ...settled(one), revision: one.revision + 1 }, one.revision)));
      cursor = page.next;
      isLast = cursor === undefined;
    }
    await store.remove({ closedBefore: Number.MAX_SAFE_INTEGER });
    const later = Array.from({ length: 3 * blockSize }, (_, number) => aRecord({ id: `later-${number}` }));
    await Promise.all(later.map((record) => store.insert(record)));
    await indexed();
    expect([blocks() <= 4, parts() <= 4 * 256]).toEqual([true, true]);
    expect((await store.list({ limit: 1_000, text: "srv", order: "oldest" })).sessions.map(({ id }) => id)).toContain(kept);
    await store.close();
  });

  test("finds all in a store without an index, which is indexed from then on, also if that is interrupted again and again", async () => {
    const { path, store } = await openedStore();
    const same = sameSearch(store, 3);
    await same.addMany(4 * blockSize);
    await store.close();
    change(path, dropIndex);
    for (let opened = 1, isDone = false; !isDone; opened += 1) {
      const later = await openedStore(path);
      same.use(later.store);
      if (opened === 1) expect([later.waiting(), await later.readsOf("nowhere")]).toEqual([4 * blockSize, 3]);
      // Closed like a hub that is stopped, each time a little later.
      for (let turns = 0; turns < 11 * opened; turns += 1) await later.clock.advance(30);
      isDone = later.waiting() === 0;
      await same.compare(1);
      await later.store.close();
      expect(opened).toBeLessThan(20);
    }
    const { store: last, readsOf, blocks } = await openedStore(path);
    expect([blocks(), await readsOf("nowhere")]).toEqual([4, 2]);
    await last.close();
  });

  test("finds what an askbox without an index has written", async () => {
    const { path, store, indexed, blocks } = await openedStore();
    const same = sameSearch(store, 5);
    await same.addMany(3 * blockSize);
    await indexed();
    await store.close();
    // The statements of that askbox; the file's triggers do the rest.
    const { database, prepare } = connect((await sqliteOpener())(path));
    const id = prepare("SELECT id FROM sessions ORDER BY created_at LIMIT 1").get()?.["id"];
    const record = recordOf(prepare(statements.get).get(id as string)?.["body"]);
    const changed = sessionRow({ ...record, revision: 2, request: anAsk({ title: "The needle" }) });
    const added = sessionRow({ ...record, id: "added-by-another", request: anAsk({ title: "Another needle" }) });
    prepare(statements.change).run(...pick(changed, changingColumns), id as string, 1, ...pick(changed, constantColumns));
    prepare(statements.insert).run(...pick(added, sessionColumns));
    database.close();
    const later = await openedStore(path);
    expect((await later.store.list({ text: "needle" })).sessions.map((one) => one.id).sort()).toEqual(["added-by-another", id].sort());
    expect(blocks()).toBe(3);
    expect(await later.readsOf("needle")).toBe(2);
    await later.store.close();
  });
});
