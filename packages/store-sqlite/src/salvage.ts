import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Connection, connect, type Opener } from "./connection.ts";
import { isSound } from "./integrity.ts";
import { migrate } from "./migrations.ts";
import { auditColumns, draftColumns, draftOf, draftRow, pick, recordOf, sessionColumns, sessionRow, type Value } from "./rows.ts";
import { statements } from "./statements.ts";

/** What was recovered from a damaged store. */
export interface Salvaged {
  sessions: number;
  drafts: number;
}

/** After this many consecutive unreadable places, the rest of a table is skipped. */
const maxMisses = 200_000;

const suffixes = ["-wal", "-shm", ""];

/** The temporary name of a rebuilt store, complete, until the damaged one has been renamed. */
export const rebuiltName = (path: string) => `${path}.rebuilt`;

/**
 * Copies everything readable from the damaged file into a new one, in one transaction, and renames that only once it is complete. The
 * damaged file is opened read-only.
 */
export function rebuild(opener: Opener, path: string): Salvaged {
  const unfinished = `${path}.rebuilding`;
  removeDatabase(unfinished);
  try {
    const target = connect(opener(unfinished));
    let salvaged: Salvaged;
    try {
      migrate(target.database, unfinished);
      target.database.exec("BEGIN");
      salvaged = copyReadable(opener, path, target);
      target.database.exec("COMMIT");
    } finally {
      target.close();
    }
    renameSync(unfinished, rebuiltName(path));
    return salvaged;
  } catch (error) {
    removeDatabase(unfinished);
    throw error;
  }
}

/** An unused name for a damaged database. */
export function asideName(path: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const present = readdirSync(dirname(path));
  const isTaken = (name: string) => present.some((file) => file.startsWith(basename(name)));
  let aside = `${path}.damaged-${stamp}`;
  for (let attempt = 2; isTaken(aside); attempt += 1) aside = `${path}.damaged-${stamp}-${attempt}`;
  return aside;
}

/** Renames a database with its companion files; the log goes first, or SQLite would replay it into the next file of that name. */
export function setDatabaseAside(path: string): string {
  const aside = asideName(path);
  for (const suffix of suffixes) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}

function removeDatabase(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true });
}

function copyReadable(opener: Opener, path: string, target: Connection): Salvaged {
  let source: DatabaseSync;
  try {
    source = opener(path, { readOnly: true });
  } catch {
    return { sessions: 0, drafts: 0 };
  }
  try {
    const insertSession = target.prepare(statements.insert);
    const insertDraft = target.prepare(statements.insertDraft);
    const addEntry = target.prepare(statements.addEntry);
    countTaken(
      readableRows(source, "audit", auditColumns),
      (row) => addEntry.run(...auditColumns.map((column) => row[column] as Value)).changes,
    );
    return {
      sessions: countTaken(readableRows(source, "sessions", sessionColumns), (row) => {
        const fresh = sessionRow(recordOf(row["body"]), String(row["body"]));
        if (!isSound(row, sessionColumns) && fresh.checksum !== row["checksum"]) return 0;
        return insertSession.run(...pick(fresh, sessionColumns)).changes;
      }),
      drafts: countTaken(readableRows(source, "drafts", draftColumns), (row) => {
        const fresh = draftRow(draftOf(row["body"]), String(row["body"]));
        if (!isSound(row, draftColumns) && fresh.checksum !== row["checksum"]) return 0;
        return insertDraft.run(...pick(fresh, draftColumns), fresh.session_id).changes;
      }),
    };
  } finally {
    source.close();
  }
}

/** `take` only needs the body, so it also accepts a row in which only another column is damaged. */
function countTaken(rows: Iterable<Record<string, unknown>>, take: (row: Record<string, unknown>) => number | bigint): number {
  let taken = 0;
  for (const row of rows) {
    try {
      taken += Number(take(row));
    } catch {
      // Not a valid record, despite its checksum; it stays in the renamed file.
    }
  }
  return taken;
}

/** The rows of a table, one by one, skipping the places where the file cannot be read. */
function* readableRows(source: DatabaseSync, table: string, columns: readonly string[]): Generator<Record<string, unknown>> {
  try {
    const next = source.prepare(`SELECT rowid AS place, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1`);
    for (let place = 0, misses = 0; misses < maxMisses; ) {
      const row = attempt(() => next.get(place));
      if (row === "unreadable" || Number(row?.["place"]) <= place) {
        misses += 1;
        place += 1;
      } else if (row === undefined) {
        return;
      } else {
        misses = 0;
        place = Number(row["place"]);
        yield row;
      }
    }
  } catch {
    // The table itself is unreadable.
  }
}

function attempt<Result>(work: () => Result): Result | "unreadable" {
  try {
    return work();
  } catch {
    return "unreadable";
  }
}
