import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { AskboxError, type SharedState } from "@askbox/core";
import { type Opener, sqliteOpener } from "./connection.ts";
import { orStoreError, reportsDamage } from "./sqlite-error.ts";

/** The maximum total size, in characters; beyond it, the values that expire first are removed. */
const maxCharacters = 64 * 1_024 * 1_024;
/** How many changes are made between two cleanups of expired values. */
const sweepEvery = 100;
const forEver = Number.MAX_SAFE_INTEGER;

/** Values that expire, as `SharedState` describes them, in a file. */
export type SqliteValues = Pick<SharedState, "get" | "swap" | "close">;

/** Options of values stored in an SQLite file. */
export interface SqliteValuesOptions {
  /** The file, created if missing. Its folder must exist. */
  path: string;
  /** Wall time, ms since the epoch; default `Date.now`. */
  now?: (() => number) | undefined;
}

/**
 * Opens values that outlive their process. They survive a killed process, but not necessarily a power failure, since nothing is synced to
 * disk. A damaged file is replaced, since nothing in it is kept for long. Throws `STORE_UNAVAILABLE`.
 */
export async function openSqliteValues({ path, now = Date.now }: SqliteValuesOptions): Promise<SqliteValues> {
  const opener = await sqliteOpener();
  const database = orStoreError(path, () => openOrBegin(opener, path));
  const statements = {
    get: database.prepare("SELECT value FROM kept WHERE key = ? AND until > ?"),
    put: database.prepare("INSERT OR REPLACE INTO kept (key, value, until) VALUES (?, ?, ?)"),
    remove: database.prepare("DELETE FROM kept WHERE key = ?"),
    removeEnded: database.prepare("DELETE FROM kept WHERE until <= ?"),
    size: database.prepare("SELECT coalesce(sum(length(value)), 0) AS characters, count(*) AS rows FROM kept"),
    removeFirst: database.prepare("DELETE FROM kept WHERE key IN (SELECT key FROM kept ORDER BY until LIMIT ?)"),
  };
  let changes = 0;
  let closed = false;

  const read = (key: string): string | undefined => statements.get.get(key, now())?.["value"] as string | undefined;
  const sweep = () => {
    statements.removeEnded.run(now());
    for (;;) {
      const { characters, rows } = statements.size.get() as { characters: number; rows: number };
      if (characters <= maxCharacters) return;
      statements.removeFirst.run(Math.ceil(rows / 4));
    }
  };
  const during = <Result>(work: () => Result): Result => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The store ${path} is closed; open it again.`);
    return orStoreError(path, work);
  };
  during(sweep);

  return {
    get: async (key) => during(() => read(key)),
    swap: async (key, expected, next, ttl) =>
      during(() => {
        if (read(key) !== expected) return false;
        if (next === undefined) statements.remove.run(key);
        else statements.put.run(key, next, ttl === null ? forEver : now() + ttl);
        changes += 1;
        if (changes % sweepEvery === 0) sweep();
        return true;
      }),
    async close() {
      if (!closed) database.close();
      closed = true;
    },
  };
}

function openOrBegin(opener: Opener, path: string): DatabaseSync {
  try {
    return open(opener, path);
  } catch (error) {
    if (!reportsDamage(error)) throw error;
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${path}${suffix}`, { force: true });
    return open(opener, path);
  }
}

function open(opener: Opener, path: string): DatabaseSync {
  const database = opener(path);
  try {
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS kept (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL) STRICT;
      CREATE INDEX IF NOT EXISTS kept_by_end ON kept (until);
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
