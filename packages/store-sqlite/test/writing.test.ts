import { readdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AskboxError } from "@askbox/core";
import { anAsk, aRecord, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { sqliteOpener } from "../src/connection.ts";
import { openSqliteStore } from "../src/index.ts";
import { openStoreWith } from "../src/sqlite-store.ts";
import { freshPath } from "./temp-folder.ts";

const records = (count: number) => Array.from({ length: count }, (_, index) => aRecord({ id: `session-${index}` }));

/** A store and its database handle for writing. */
async function openWithHandle(path: string) {
  const opener = await sqliteOpener();
  const handles: DatabaseSync[] = [];
  const store = await openStoreWith(
    (file, options) => {
      const database = opener(file, options);
      if (options?.readOnly !== true) handles.push(database);
      return database;
    },
    { path },
  );
  const handle = () => handles.at(-1) as DatabaseSync;
  return { store, handle, opened: () => handles.length };
}

/** The number of frames in the write-ahead log, which grows with each commit. */
const commitsSeen = (handle: DatabaseSync) => Number(handle.prepare("PRAGMA data_version").get()?.["data_version"]);

describe("writing to the SQLite store", () => {
  test("batches everything that waits into one transaction", async () => {
    const path = freshPath();
    const { store } = await openWithHandle(path);
    const opener = await sqliteOpener();
    const observer = opener(path, { readOnly: true });
    const before = commitsSeen(observer);
    let firstDone = 0;
    const all = records(50).map((record) =>
      store.insert(record).then(() => {
        firstDone += 1;
        if (firstDone === 1) expect(observer.prepare("SELECT count(*) AS count FROM sessions").get()?.["count"]).toBe(50);
      }),
    );
    await Promise.all(all);
    expect(commitsSeen(observer)).not.toBe(before);
    observer.close();
    await store.close();
  });

  test("rejects a record that cannot be stored, without affecting others in the transaction", async () => {
    const { store } = await openWithHandle(freshPath());
    const sound = records(3);
    const unsound = aRecord({ id: "unsound", createdAt: Number.NaN });
    const results = await Promise.allSettled([...sound, unsound].map((record) => store.insert(record)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect((results[3] as PromiseRejectedResult).reason).toMatchObject({ code: "VALIDATION" });
    expect(await store.count({})).toBe(3);
    await store.close();
  });

  // promise: disk-recovers
  test("rejects every write while the disk is full, publishes no event for it, and recovers once there is space", async () => {
    const { store, handle } = await openWithHandle(freshPath());
    await store.insert(aRecord({ id: "before" }));
    const pages = Number(handle().prepare("PRAGMA page_count").get()?.["page_count"]);
    handle().exec(`PRAGMA max_page_count = ${pages}`);
    const told: string[] = [];
    store.subscribe(({ id }) => told.push(id));

    const large = records(20).map((record) => ({ ...record, request: anAsk({ title: "x".repeat(5_000) }) }));
    const results = await Promise.allSettled(large.map((record) => store.insert(record)));
    for (const result of results) {
      expect(result).toMatchObject({
        status: "rejected",
        reason: { code: "STORE_UNAVAILABLE", message: expect.stringContaining("is full") },
      });
    }
    expect(told).toEqual([]);
    expect(await store.count({})).toBe(1);

    handle().exec("PRAGMA max_page_count = 100000");
    expect(await store.insert(aRecord({ id: "after" }))).toEqual({ inserted: true });
    expect(told).toEqual(["after"]);
    expect((await store.list({ order: "oldest" })).sessions.map(({ id }) => id)).toEqual(["after", "before"]);
    await store.close();
  });

  test("opens a new connection automatically after the old one failed", async () => {
    const { store, handle, opened } = await openWithHandle(freshPath());
    await store.insert(aRecord({ id: "before" }));
    const before = opened();
    handle().close();
    await expect(store.insert(aRecord({ id: "lost" }))).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(await store.insert(aRecord({ id: "after" }))).toEqual({ inserted: true });
    expect(opened()).toBe(before + 1);
    expect(await store.get("lost")).toBeUndefined();
    expect(await store.count({})).toBe(2);
    await store.close();
  });

  test.skipIf(process.platform === "win32")("refuses to write to a file that was moved, and recovers when it is back", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    renameSync(path, `${path}.away`);
    const refused = store.insert(aRecord());
    await expect(refused).rejects.toBeInstanceOf(AskboxError);
    await expect(refused).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringContaining("moved or deleted") });
    expect(readdirSync(dirname(path))).not.toContain("askbox.db");
    renameSync(`${path}.away`, path);
    expect(await store.insert(aRecord())).toEqual({ inserted: true });
    await store.close();
  });

  test.skipIf(process.platform === "win32")("can only be read by its owner", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    await store.insert(aRecord());
    for (const suffix of ["", "-wal", "-shm"]) expect(statSync(path + suffix).mode & 0o777).toBe(0o600);
    await store.close();
  });

  test("omits a record that cannot be read from lists, logs it, and finds the others", async () => {
    const warnings: string[] = [];
    const path = freshPath();
    const store = await openSqliteStore({ path, log: (level, message) => warnings.push(`${level}: ${message}`) });
    await Promise.all(records(3).map((record) => store.insert(record)));
    const opener = await sqliteOpener();
    const vandal = opener(path);
    vandal.exec(`UPDATE sessions SET body = '{"schema":1}' WHERE id = 'session-1'`);
    vandal.close();
    expect((await store.list({ order: "oldest" })).sessions.map(({ id }) => id)).toEqual(["session-0", "session-2"]);
    expect(warnings).toEqual(["warn: A stored record cannot be read and is left out."]);
    await expect(store.get("session-1")).rejects.toMatchObject({ code: "STORE_DAMAGED" });
    await store.close();
  });

  test("removes many more sessions than fit into one transaction", async () => {
    const store = await openSqliteStore({ path: freshPath() });
    const old = records(1_200).map((record) => settled(record));
    await Promise.all(old.map((record) => store.insert(record)));
    expect(await store.remove({ closedBefore: Number.MAX_SAFE_INTEGER })).toBe(1_200);
    expect(await store.count({})).toBe(0);
    await store.close();
  });
});
