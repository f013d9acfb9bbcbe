import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { aRecord } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { checkIntegrity, openSqliteStore } from "../src/index.ts";
import { applicationId, migrations } from "../src/migrations.ts";
import { freshPath } from "./temp-folder.ts";

function databaseOf(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe("opening a SQLite store", () => {
  test("reads what the first released version wrote", async () => {
    const path = freshPath();
    databaseOf(path, readFileSync(join(import.meta.dirname, "fixtures/version-1.sql"), "utf8"));
    const store = await openSqliteStore({ path });
    expect(store.setAside).toBeUndefined();
    const { sessions } = await store.list({ order: "oldest" });
    expect(sessions.map(({ id, state }) => [id, state])).toEqual([
      ["fixturependingsession00001", "pending"],
      ["fixtureansweredsession0001", "answered"],
    ]);
    expect(sessions[1]?.context.outcome).toMatchObject({
      kind: "answered",
      comment: "Grüße, \u0000 and \u001b[31m",
      by: { surface: "terminal" },
    });
    expect((await store.listDrafts()).map(({ sessionId }) => sessionId)).toEqual(["fixturependingsession00001"]);
    expect(await store.due(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(1);
    await store.close();
  });

  test("is closed at the end of a block by await using", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    {
      await using _ = store;
      await store.insert(aRecord());
    }
    await expect(store.list({})).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("migrates a new file to the newest version", async () => {
    const path = freshPath();
    await (await openSqliteStore({ path })).close();
    const database = new DatabaseSync(path);
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: migrations.length });
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    database.close();
  });

  // promise: foreign-store-untouched
  test("rejects a store of a newer askbox and leaves it untouched", async () => {
    const path = freshPath();
    databaseOf(path, `CREATE TABLE future (x); PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length + 1}`);
    const before = readFileSync(path);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("newer askbox"),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  // promise: foreign-store-untouched
  test("rejects another program's database and leaves it untouched", async () => {
    const path = freshPath();
    databaseOf(path, "CREATE TABLE recipes (name TEXT)");
    const before = readFileSync(path);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("another program"),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("creates the parent folders of its file", async () => {
    const path = join(dirname(freshPath()), "a", "b", "askbox.db");
    const store = await openSqliteStore({ path });
    expect(await store.insert(aRecord())).toEqual({ inserted: true });
    await store.close();
  });

  test("says in one sentence that a place cannot be written", async () => {
    const path = freshPath();
    writeFileSync(path, "a file, not a folder");
    const folder = join(dirname(path), "folder");
    mkdirSync(folder);
    for (const place of [join(path, "askbox.db"), folder]) {
      const refused = openSqliteStore({ path: place });
      await expect(refused).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringMatching(/^The store .* cannot be written; [^.]*\.$/),
      });
    }
  });

  test.skipIf(process.platform !== "linux")("says so for a file system that allows no files, too", async () => {
    await expect(openSqliteStore({ path: "/proc/askbox/askbox.db" })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});

describe("checkIntegrity", () => {
  test("finds nothing wrong with a store in use", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    await store.insert(aRecord());
    expect(await checkIntegrity(path)).toEqual({ ok: true, problems: [] });
    await store.close();
  });

  test("finds a text that was changed behind the store's back", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    await store.insert(aRecord());
    await store.close();
    databaseOf(path, "UPDATE sessions SET body = replace(body, 'module', 'nodule')");
    expect(await checkIntegrity(path)).toEqual({ ok: false, problems: ["row 1 of sessions does not match its checksum"] });
  });

  test("detects a file that is not a database", async () => {
    const path = freshPath();
    writeFileSync(path, "no database ".repeat(1_000));
    expect(await checkIntegrity(path)).toMatchObject({ ok: false });
  });

  test("rejects a missing file", async () => {
    await expect(checkIntegrity(freshPath())).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});
