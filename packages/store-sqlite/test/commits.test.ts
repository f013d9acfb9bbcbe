import type { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { createBroker, type SessionRecord } from "@askbox/core";
import { anAsk, anAsker, aRecord, settled, testPlatform, validSet } from "@askbox/core/testing";
import { expect, test, vi } from "vitest";
import { sqliteOpener } from "../src/connection.ts";
import { openStoreWith } from "../src/sqlite-store.ts";
import { freshPath } from "./temp-folder.ts";

/** A store that counts its commits. */
async function countingStore() {
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
  const store = await openStoreWith((file, options) => counting(opener(file, options)), { path: freshPath() });
  const since = commits;
  return { store, commits: () => commits - since };
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

test("a write that nothing waits for is soon committed automatically, and when the store is closed", async () => {
  const { store, commits } = await countingStore();
  const record = settled(aRecord());
  await store.insert(record);
  expect(await store.replace(delivered(record), record.revision, { unhurried: true })).toBe(true);
  expect(commits()).toBe(2);
  const again = store.replace(delivered(delivered(record)), record.revision + 1, { unhurried: true });
  await store.close();
  expect([await again, commits()]).toEqual([true, 3]);
});

test("writes wait for each other while every turn of the event loop brings one, up to 20 ms after the first", async () => {
  const { store, commits } = await countingStore();
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const record = settled(aRecord({ id: "settled" }));
    await store.insert(record);
    const written: Promise<unknown>[] = [store.replace(delivered(record), record.revision, { unhurried: true })];
    vi.advanceTimersByTime(15);
    const insert = () => store.insert(aRecord({ id: `session-${written.length}` }));
    written.push(insert());
    for (let turn = 0; turn < 5; turn += 1) {
      written.push(insert());
      await setImmediate();
    }
    expect(commits()).toBe(1);
    vi.advanceTimersByTime(5);
    written.push(insert());
    await setImmediate();
    expect(commits()).toBe(2);
    await Promise.all(written);
    expect([await store.count({}), commits()]).toEqual([written.length, 2]);
  } finally {
    vi.useRealTimers();
    await store.close();
  }
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
  const { store, commits } = await countingStore();
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
  await Promise.all(acknowledging);
  // The last delivery has no following ask to be committed with.
  expect(commits()).toBeLessThanOrEqual(2 * asks + 1);
  await broker.close();
  await store.close();
});
