import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { createBroker, type SessionRecord } from "@askbox/core";
import { anAsk, anAsker, aRecord, fakeClock, settled, testPlatform, validSet } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { sqliteOpener } from "../src/connection.ts";
import { openStoreWith } from "../src/sqlite-store.ts";
import { freshPath } from "./temp-folder.ts";

/** A store that counts its commits. Its clock stands still until a test moves it. */
async function countingStore() {
  const clock = fakeClock({ settle: () => setImmediate() });
  const opener = await sqliteOpener();
  let commits = 0;
  const counting = (database: DatabaseSync): DatabaseSync =>
    new Proxy(database, {
      get(target, name) {
        if (name === "prepare") {
          return (sql: string) => {
            if (sql === "COMMIT") {
              const statement = target.prepare(sql);
              return {
                run: () => {
                  commits += 1;
                  return statement.run();
                },
              };
            }
            return target.prepare(sql);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const path = freshPath();
  const store = await openStoreWith((file, options) => counting(opener(file, options)), { path }, clock);
  const since = commits;
  /** Locks the store as another process would, until the returned function is called. */
  const lock = () => {
    const other = opener(path);
    other.exec("BEGIN IMMEDIATE");
    return () => other.close();
  };
  return { store, clock, commits: () => commits - since, lock };
}

const delivered = (record: SessionRecord): SessionRecord => ({ ...record, revision: record.revision + 1, delivery: { deliveredAt: 1 } });

test("a write that nothing waits for is committed with the next one", async () => {
  const { store, commits } = await countingStore();
  const record = settled(aRecord());
  await store.insert(record);
  const acknowledging = store.replace(delivered(record), record.revision, { unhurried: true });
  await store.insert(aRecord({ id: "another" }));
  expect(await store.get(record.id)).toEqual(delivered(record));
  expect([await acknowledging, commits()]).toEqual([true, 2]);
  await store.close();
});

test("a write that nothing waits for is committed after 20 ms, and when the store is closed", async () => {
  const { store, clock, commits } = await countingStore();
  const record = settled(aRecord());
  await store.insert(record);
  const acknowledging = store.replace(delivered(record), record.revision, { unhurried: true });
  await clock.advance(19);
  expect(commits()).toBe(1);
  await clock.advance(1);
  expect([await acknowledging, commits()]).toEqual([true, 2]);
  const again = store.replace(delivered(delivered(record)), record.revision + 1, { unhurried: true });
  await store.close();
  expect([await again, commits()]).toEqual([true, 3]);
});

test("writes wait for each other while every turn of the event loop brings one, up to 20 ms after the first", async () => {
  const { store, clock, commits } = await countingStore();
  const record = settled(aRecord({ id: "settled" }));
  await store.insert(record);
  const written: Promise<unknown>[] = [store.replace(delivered(record), record.revision, { unhurried: true })];
  const insert = () => written.push(store.insert(aRecord({ id: `session-${written.length}` })));
  await clock.advance(19);
  insert();
  for (let turn = 0; turn < 5; turn += 1) {
    insert();
    await setImmediate();
  }
  expect(commits()).toBe(1);
  await clock.advance(1);
  insert();
  await setImmediate();
  expect(commits()).toBe(2);
  await Promise.all(written);
  expect([await store.count({}), commits()]).toEqual([written.length, 2]);
  await store.close();
});

test("a write doesn't wait for those that nothing waits for", async () => {
  const { store, commits } = await countingStore();
  const records = Array.from({ length: 3 }, (_, index) => settled(aRecord({ id: `settled-${index}` })));
  for (const record of records) await store.insert(record);
  const written: Promise<unknown>[] = [store.insert(aRecord({ id: "another" }))];
  for (const record of records) written.push(store.replace(delivered(record), record.revision, { unhurried: true }));
  await setImmediate();
  expect(commits()).toBe(4);
  await Promise.all(written);
  expect(commits()).toBe(4);
  await store.close();
});

test("sequential asks take two commits each: one to open, and one to settle together with the previous delivery", async () => {
  const { store, clock, commits } = await countingStore();
  const broker = await createBroker({ store, ...testPlatform() });
  const [asker, desk] = [broker.asker("owner-1"), broker.desk({ surface: "web" })];
  const acknowledging: Promise<void>[] = [];
  const asks = 20;
  for (let count = 0; count < asks; count += 1) {
    const { ack } = await asker.ask(anAsk(), {
      asker: anAsker(),
      onOpened: ({ session }) => void desk.answer(session.id, validSet()),
    });
    acknowledging.push(ack());
  }
  await clock.advance(20);
  await Promise.all(acknowledging);
  // The last delivery has no following ask to be committed with.
  expect(commits()).toBeLessThanOrEqual(2 * asks + 1);
  await broker.close();
  await store.close();
});

test("while another process holds the lock, writes wait in their order without blocking what reads", async () => {
  const { store, clock, lock } = await countingStore();
  const record = settled(aRecord());
  await store.insert(record);
  const unlock = lock();
  const written = [store.replace(delivered(record), record.revision), store.insert(aRecord({ id: "second" }))];
  // More turns than a commit waits for other writes.
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  expect(await store.get(record.id)).toEqual(record);
  written.push(store.replace(delivered(delivered(record)), record.revision + 1));
  await clock.advance(1_000);
  expect(await store.get(record.id)).toEqual(record);
  unlock();
  await clock.advance(25);
  expect(await Promise.all(written)).toEqual([true, { inserted: true }, true]);
  expect(await store.get(record.id)).toMatchObject({ revision: record.revision + 2 });
  await store.close();
});

test("a write that finds the store locked for 5 s is refused, and those that came later go on waiting", async () => {
  const { store, clock, lock } = await countingStore();
  const unlock = lock();
  const first = store.insert(aRecord({ id: "first" }));
  const refused = expect(first).rejects.toThrow(/Another process has locked the store/);
  await clock.advance(3_000);
  const later = store.insert(aRecord({ id: "later" }));
  await clock.advance(2_025);
  await refused;
  unlock();
  await clock.advance(25);
  expect([await later, await store.get("first")]).toEqual([{ inserted: true }, undefined]);
  await store.close();
});
