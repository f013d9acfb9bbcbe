import { chmodSync, closeSync, copyFileSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { AskboxError, type Log } from "@askbox/core";
import { type Connection, connect, type Opener } from "./connection.ts";
import { isSound, problemAtOpening, walProblem } from "./integrity.ts";
import { applicationId, migrate, refuseNewer, versionOf } from "./migrations.ts";
import {
  auditColumns,
  draftColumns,
  draftOf,
  draftRow,
  pick,
  recordOf,
  sessionColumns,
  sessionRow,
  statements,
  type Value,
} from "./rows.ts";
import { prepareSearch } from "./search-index.ts";
import { isBusy, isReadOnly, isUnspecific, reportsDamage, storeError } from "./sqlite-error.ts";

/**
 * Opens a database file that may be damaged, half replaced, or another's. In order: a rebuilt file that a crash left unfinished takes its
 * place; a log without its file is set aside, as is a copy of a damaged log; then the file is inspected, and if it is damaged, what can be
 * read is copied into a new one, which takes its place only when it is complete. Nothing is ever deleted.
 */

/** How a damaged store was handled. */
export interface SetAside {
  /** The damaged file's new path. */
  path: string;
  /** What is wrong with it. */
  problem: string;
  /** What could be read and was copied to the new store. Absent if only the log was damaged: the file itself is then still in use. */
  salvaged?: Salvaged;
}

/**
 * Prepares the file, and returns what was done if it was damaged. The damaged file is always kept under another name. Throws
 * `STORE_UNAVAILABLE`, without changing anything, if the file cannot be written, belongs to another program, or was written by a newer
 * askbox; and `STORE_DAMAGED` if it is damaged while another process uses it.
 */
export function prepareDatabase(opener: Opener, path: string, log: Log): SetAside | undefined {
  const orphan = prepareFile(path, log);
  const damagedLog = setLogAside(opener, path, log);
  return replaceDamaged(opener, path, log) ?? damagedLog ?? orphan;
}

/** Opens a prepared database. */
export function openConnection(opener: Opener, path: string): Connection {
  const database = opener(path);
  try {
    const connection = connect(database);
    migrate(database, path);
    prepareSearch(database);
    return connection;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareFile(path: string, log: Log): SetAside | undefined {
  makeFolder(dirname(path));
  // A crash after the damaged file was renamed: the rebuilt store is complete, and replaces it.
  if (!existsSync(path) && existsSync(rebuiltName(path))) renameSync(rebuiltName(path), path);
  const orphan = existsSync(path) ? undefined : setOrphanAside(path, log);
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const file = statSync(path);
  if (!file.isFile()) {
    throw new AskboxError("STORE_UNAVAILABLE", `The store ${path} cannot be written; it is not a file, so choose another place for it.`);
  }
  // Not by opening it: closing any handle of a file releases all locks that this process has on it.
  if (process.platform !== "win32" && (file.mode & 0o077) !== 0) chmodSync(path, 0o600);
  return orphan;
}

/** Node's own `recursive` never returns if a folder cannot be created although its parent exists, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** A log without its file: SQLite would delete it. */
function setOrphanAside(path: string, log: Log): SetAside | undefined {
  if (!existsSync(`${path}-wal`)) return undefined;
  const aside = setDatabaseAside(path);
  log(
    "warn",
    `The store ${path} is gone, but its write-ahead log was there; the log is kept as ${aside}-wal. Put the file back if you have it.`,
    {
      path,
      setAside: aside,
    },
  );
  return { path: aside, problem: "the file is gone, and only its write-ahead log was there" };
}

/** A damaged log only hides what was committed after the damage: keep a copy, and let SQLite use what comes before. */
function setLogAside(opener: Opener, path: string, log: Log): SetAside | undefined {
  if (walProblem(`${path}-wal`) === undefined) return undefined;
  // If another process is running, the apparent damage may be a write in progress.
  const release = takeAlone(opener, path);
  if (release === undefined) return undefined;
  try {
    const problem = walProblem(`${path}-wal`);
    if (problem === undefined) return undefined;
    const aside = asideName(path);
    copyFileSync(path, aside);
    copyFileSync(`${path}-wal`, `${aside}-wal`);
    log(
      "warn",
      `The store ${path} was damaged (${problem}): its last changes may be missing. A copy with the whole log is kept as ${aside}; askbox never deletes it.`,
      {
        path,
        setAside: aside,
      },
    );
    return { path: aside, problem };
  } finally {
    release();
  }
}

function replaceDamaged(opener: Opener, path: string, log: Log): SetAside | undefined {
  const problem = inspect(opener, path);
  if (problem === undefined) return undefined;
  const release = takeAlone(opener, path);
  if (release === undefined) {
    throw new AskboxError(
      "STORE_DAMAGED",
      `The store ${path} is damaged (${problem}) and another process uses it; stop that process and try again.`,
    );
  }
  release();
  const salvaged = rebuild(opener, path);
  const aside = setDatabaseAside(path);
  renameSync(rebuiltName(path), path);
  log(
    "warn",
    `The store ${path} was damaged (${problem}) and is kept as ${aside}. ${salvaged.sessions} sessions and ${salvaged.drafts} drafts could be read and are in the new store; to look for more, run: sqlite3 '${aside}' .recover`,
    { path, setAside: aside, ...salvaged },
  );
  return { path: aside, problem, salvaged };
}

/** Locks the database exclusively until the returned function is called; undefined if another process has it open. */
function takeAlone(opener: Opener, path: string): (() => void) | undefined {
  // A process that has a WAL database open has mapped this file; a clean exit removes it.
  if (!existsSync(`${path}-shm`)) return () => {};
  let database: DatabaseSync | undefined;
  try {
    database = opener(path);
    const held = database;
    held.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
    held.prepare("SELECT count(*) FROM sqlite_schema").get();
    return () => held.close();
  } catch (error) {
    database?.close();
    // Any other read error is the damage itself.
    return isBusy(error) ? undefined : () => {};
  }
}

/** What is wrong with the file; undefined if nothing is. Does not change it. */
function inspect(opener: Opener, path: string): string | undefined {
  try {
    // Only a database that was never in WAL mode has a journal, and rolling it back requires writing.
    const database = opener(path, { readOnly: !existsSync(`${path}-journal`) });
    try {
      return problemOf(database, path);
    } finally {
      database.close();
    }
  } catch (error) {
    if (reportsDamage(error) || isUnspecific(error) || isReadOnly(error)) return (error as Error).message;
    throw storeError(error, path);
  }
}

function problemOf(database: DatabaseSync, path: string): string | undefined {
  const version = versionOf(database);
  const isOurs = database.prepare("PRAGMA application_id").get()?.["application_id"] === applicationId;
  if (isOurs) refuseNewer(version, path);
  const problem = problemAtOpening(database, path);
  if (problem !== undefined) return problem;
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  if (isOurs && version > 0 && tables.includes("sessions") && tables.includes("drafts")) return undefined;
  if (isOurs || (tables.includes("sessions") && tables.includes("drafts"))) return "its header or its list of tables is damaged";
  if (tables.length === 0 && version === 0) return undefined;
  throw new AskboxError("STORE_UNAVAILABLE", `${path} is a database of another program; choose another place for the store.`);
}

/** What was recovered from a damaged store. */
export interface Salvaged {
  sessions: number;
  drafts: number;
}

/** After this many consecutive unreadable places, the rest of a table is skipped. */
const maxMisses = 200_000;

const suffixes = ["-wal", "-shm", ""];

/** The temporary name of a rebuilt store, complete, until the damaged one has been renamed. */
const rebuiltName = (path: string) => `${path}.rebuilt`;

/**
 * Copies everything readable from the damaged file into a new one, in one transaction, and renames that only once it is complete. The
 * damaged file is opened read-only.
 */
function rebuild(opener: Opener, path: string): Salvaged {
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
function asideName(path: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const present = readdirSync(dirname(path));
  const isTaken = (name: string) => present.some((file) => file.startsWith(basename(name)));
  let aside = `${path}.damaged-${stamp}`;
  for (let attempt = 2; isTaken(aside); attempt += 1) aside = `${path}.damaged-${stamp}-${attempt}`;
  return aside;
}

/** Renames a database with its companion files; the log goes first, or SQLite would replay it into the next file of that name. */
function setDatabaseAside(path: string): string {
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
