import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { AskboxError } from "@askbox/core";
import { sqliteOpener } from "./connection.ts";
import { storeError } from "./sqlite-error.ts";

/**
 * The versions of the file. Before a file is migrated, it is copied beside itself, for the askbox that wrote it; a copy is also what
 * `copySqliteStore` makes for a backup. A file of a newer askbox is refused and stays untouched.
 */

/** Identifies a database file as askbox's: "ASKB" in SQLite's `application_id`. */
export const applicationId = 0x41534b42;

/**
 * The migrations from each `user_version` to the next, in order. A released migration is never changed.
 *
 * The filters of a list have columns of their own; `body` is the whole record as JSON, and what is read. Every index but
 * the first two is partial, so that settled sessions, of which there are many, cost the lookups of an ask nothing. `checksum` covers all other
 * columns, since SQLite itself does not notice when a bit of a stored text turns.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'answered', 'cancelled', 'timedOut')),
    owner TEXT NOT NULL,
    scope TEXT NOT NULL,
    digest TEXT NOT NULL,
    key TEXT,
    created_at REAL NOT NULL,
    closed_at REAL,
    deadline_at REAL,
    undelivered INTEGER NOT NULL CHECK (undelivered IN (0, 1)),
    project TEXT,
    agent_id TEXT,
    client TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    search TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX sessions_by_id ON sessions (id);
  CREATE INDEX sessions_by_time ON sessions (created_at, id);
  CREATE UNIQUE INDEX pending_by_key ON sessions (owner, key) WHERE state = 'pending' AND key IS NOT NULL;
  CREATE INDEX pending_by_time ON sessions (created_at, id) WHERE state = 'pending';
  CREATE INDEX pending_by_digest ON sessions (digest, scope) WHERE state = 'pending';
  CREATE INDEX pending_by_owner ON sessions (owner, agent_id) WHERE state = 'pending';
  CREATE INDEX pending_by_deadline ON sessions (deadline_at, id) WHERE state = 'pending' AND deadline_at IS NOT NULL;
  CREATE INDEX undelivered_by_scope ON sessions (scope, created_at) WHERE undelivered = 1;
  CREATE INDEX settled_by_time ON sessions (closed_at) WHERE state <> 'pending';
  CREATE TABLE drafts (
    session_id TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    revision INTEGER NOT NULL,
    updated_at REAL NOT NULL,
    checksum INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  `,
  // The record of approvals. Its lines need no checksum: each has a hash.
  `
  CREATE TABLE audit (
    number INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    line TEXT NOT NULL
  ) STRICT;
  `,
];

/** The name of the copy that is made before a store of this version is migrated. */
const formerName = (path: string, version: number): string => `${path}.version-${version}`;

/**
 * Migrates a database to the newest version, each step in its own transaction, after copying it beside itself: an older askbox can use the
 * copy. Throws `STORE_UNAVAILABLE` if a newer askbox wrote it, and what copying throws; nothing has changed then.
 */
export function migrate(database: DatabaseSync, path: string): void {
  const former = versionOf(database);
  refuseNewer(former, path);
  if (former > 0 && former < migrations.length) copyInto(database, formerName(path, former));
  for (let version = versionOf(database); version < migrations.length; version = versionOf(database)) {
    database.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have made this step while this one waited for the lock.
      if (versionOf(database) === version) {
        database.exec(`${migrations[version]} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1};`);
      }
      database.exec("COMMIT");
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }
}

export function refuseNewer(version: number, path: string): void {
  if (version <= migrations.length) return;
  throw new AskboxError(
    "STORE_UNAVAILABLE",
    `The store ${path} was written by a newer askbox (its version is ${version}, this one knows ${migrations.length}); update askbox to use it.`,
  );
}

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/**
 * Copies a database to another file, as it is at one moment, while others may use it. The copy appears there only once it is complete and on
 * disk; an existing file of that name is replaced.
 */
function copyInto(database: DatabaseSync, target: string): void {
  const unfinished = `${target}.copying`;
  rmSync(unfinished, { force: true });
  try {
    // SQLite accepts an empty file, which nobody else can read.
    closeSync(openSync(unfinished, "wx", 0o600));
    database.prepare("VACUUM INTO ?").run(unfinished);
    const file = openSync(unfinished, "r+");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, target);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Copies a store's file, as it is at one moment, while a hub may use it; `openSqliteStore` opens the copy. The copy replaces `target` once it is
 * complete and on disk. Throws `STORE_UNAVAILABLE` if either file cannot be used, and `STORE_DAMAGED` if the store is damaged.
 */
export async function copySqliteStore(path: string, target: string): Promise<void> {
  // SQLite would create it.
  if (!existsSync(path)) throw new AskboxError("STORE_UNAVAILABLE", `There is no store ${path} to copy.`);
  const opener = await sqliteOpener();
  try {
    // Not read-only: SQLite may have to replay the log of a hub that was killed.
    const database = opener(path);
    try {
      copyInto(database, target);
    } finally {
      database.close();
    }
  } catch (error) {
    throw storeError(error, path);
  }
}
