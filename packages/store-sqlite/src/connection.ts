import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";

/** How long a statement waits for another process's lock, in milliseconds. */
const busyTimeout = 5_000;

/** How many prepared statements are kept; lists differ by their filters, so there are more variants than are worth keeping. */
const keptStatements = 200;

/** The maximum cache size, in KiB: enough for the inner pages of all indexes of 100,000 sessions. */
const cacheSize = 16_384;

/** Opens a database file. */
export type Opener = (path: string, options?: { readOnly?: boolean }) => DatabaseSync;

/** An open database with its prepared statements. */
export interface Connection {
  readonly database: DatabaseSync;
  /** The statement for this SQL, prepared once. */
  prepare(sql: string): StatementSync;
  /** Begins a transaction that writes. If another process holds the lock, it waits for up to 5 s if `blocking`, and throws at once if not. */
  begin(options: { blocking: boolean }): void;
  close(): void;
}

/**
 * Opens a database file with only the settings that reading needs. `node:sqlite` is loaded here and nowhere else, when a store is first
 * opened: Node 22 prints a warning on loading it, which a CLI may want to filter first.
 */
export async function sqliteOpener(): Promise<Opener> {
  const { DatabaseSync } = await import("node:sqlite");
  return (path, options = {}) => {
    const database = new DatabaseSync(path, { readOnly: options.readOnly ?? false });
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeout}; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON`);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
}

/**
 * Prepares an open database for use. With WAL and `synchronous = FULL` a commit is on disk when it returns; `fullfsync` ensures that on
 * macOS too, where an ordinary fsync leaves data in the drive's cache.
 */
export function connect(database: DatabaseSync): Connection {
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA cache_size = -${cacheSize};
  `);
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const kept = statements.get(sql);
    if (kept !== undefined) return kept;
    if (statements.size >= keptStatements) statements.clear();
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    database,
    prepare,
    begin({ blocking }) {
      if (!blocking) database.exec("PRAGMA busy_timeout = 0");
      try {
        prepare("BEGIN IMMEDIATE").run();
      } finally {
        if (!blocking) database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
      }
    },
    close() {
      statements.clear();
      database.close();
    },
  };
}

/** Distinguishes a file from another of the same name; undefined if there is none. */
export function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
