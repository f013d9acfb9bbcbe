import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { aRecord } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { sqliteOpener } from "../src/connection.ts";
import { checkIntegrity, copySqliteStore, openSqliteStore } from "../src/index.ts";
import { applicationId, migrations } from "../src/migrations.ts";
import { openStoreWith } from "../src/sqlite-store.ts";
import { freshPath } from "./temp-folder.ts";

function databaseOf(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // It is closed already.
  }
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

  test("copies a store of an earlier version beside itself before migrating it, also after a crash in between", async () => {
    const path = freshPath();
    databaseOf(path, readFileSync(join(import.meta.dirname, "fixtures/version-1.sql"), "utf8"));
    const copy = `${path}.version-1`;
    // An earlier attempt was killed while it copied.
    writeFileSync(`${copy}.copying`, "half a copy");
    await (await openSqliteStore({ path })).close();
    expect(readdirSync(dirname(path)).sort()).toEqual([basename(path), basename(copy)]);
    expect(statSync(copy).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    const former = new DatabaseSync(copy, { readOnly: true });
    expect(former.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    expect(former.prepare("SELECT count(*) AS count FROM sessions").get()).toEqual({ count: 2 });
    former.close();
    expect(await checkIntegrity(copy)).toEqual({ ok: true, problems: [] });
    // Opening the migrated store leaves the copy as it is; the copy is a store, too.
    const { mtimeMs } = statSync(copy);
    await (await openSqliteStore({ path })).close();
    expect(statSync(copy).mtimeMs).toBe(mtimeMs);
    const store = await openSqliteStore({ path: copy });
    expect((await store.list({})).sessions).toHaveLength(2);
    await store.close();
  });

  test("migrates a store of an earlier version after a crash at any step, and its copy is complete or absent", async () => {
    const version1 = readFileSync(join(import.meta.dirname, "fixtures/version-1.sql"), "utf8");
    const opener = await sqliteOpener();
    let wasReached = true;
    for (let step = 1; wasReached; step += 1) {
      const path = freshPath();
      databaseOf(path, version1);
      const opened: DatabaseSync[] = [];
      let calls = 0;
      // From this step on, nothing that the process does reaches the file any more, not even a rollback.
      const crashing: typeof opener = (...of) => {
        const database = opener(...of);
        opened.push(database);
        const live = () => {
          calls += 1;
          if (calls >= step) throw new Error("The process was killed.");
        };
        return new Proxy(database, {
          get(target, property) {
            const value: unknown = Reflect.get(target, property);
            if (typeof value !== "function") return value;
            return (...args: unknown[]) => {
              live();
              return value.apply(target, args);
            };
          },
        });
      };
      wasReached = await openStoreWith(crashing, { path }).then(
        () => false,
        () => true,
      );
      for (const database of opened) if (database.isOpen !== false) attempt(() => database.close());
      const copy = `${path}.version-1`;
      if (existsSync(copy)) expect((await checkIntegrity(copy)).ok).toBe(true);
      const store = await openSqliteStore({ path });
      expect((await store.list({})).sessions, `killed at step ${step}`).toHaveLength(2);
      expect([existsSync(copy), existsSync(`${copy}.copying`)]).toEqual([true, false]);
      await store.close();
      if (step > 200) throw new Error("It never ends.");
    }
  });

  test("leaves a store of an earlier version as it is if it cannot be copied", async () => {
    const path = freshPath();
    databaseOf(path, readFileSync(join(import.meta.dirname, "fixtures/version-1.sql"), "utf8"));
    mkdirSync(`${path}.version-1`);
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    const database = new DatabaseSync(path);
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    database.close();
  });

  test("copies a store in use, and everything that is committed", async () => {
    const path = freshPath();
    const store = await openSqliteStore({ path });
    await store.insert(aRecord());
    const target = `${path}.copy`;
    await copySqliteStore(path, target);
    await store.close();
    const copy = await openSqliteStore({ path: target });
    expect((await copy.list({})).sessions).toHaveLength(1);
    await copy.close();
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
