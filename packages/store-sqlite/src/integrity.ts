import { readFileSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqliteOpener } from "./connection.ts";
import { refuseNewer, versionOf } from "./migrations.ts";
import { checksumOf, draftColumns, sessionColumns } from "./rows.ts";
import { storeError } from "./sqlite-error.ts";

/**
 * What can be wrong with a file that SQLite itself doesn't say: a bit that has turned in a text, and a write-ahead log of which it would
 * silently drop the end. Nothing is changed here.
 */

/** Files up to this size, in bytes, are checked completely when a store is opened. */
const checkedWhole = 64 * 1024 * 1024;

/**
 * What is wrong with the database; undefined if nothing is. A full check takes about 20 ms for 1,000 sessions and 2 s for 100,000 (230 MB).
 * So from 64 MB on, only SQLite's `quick_check` runs on opening, which takes a tenth of that but doesn't check whether indexes match the
 * sessions or whether a bit of a stored text has flipped. `checkIntegrity` checks everything.
 */
export function problemAtOpening(database: DatabaseSync, path: string): string | undefined {
  return statSync(path).size <= checkedWhole ? problems(database, 1)[0] : pragmaProblems(database, "quick_check", 1)[0];
}

/**
 * Checks a store's whole file without changing it; it may be in use. Throws `STORE_UNAVAILABLE` if it cannot be opened, or if a newer askbox
 * wrote it.
 */
export async function checkIntegrity(path: string): Promise<{ ok: boolean; problems: string[] }> {
  const opener = await sqliteOpener();
  try {
    const database = opener(path, { readOnly: true });
    try {
      const found = problems(database, 100);
      if (found.length === 0) refuseNewer(versionOf(database), path);
      return { ok: found.length === 0, problems: found };
    } finally {
      database.close();
    }
  } catch (thrown) {
    const error = storeError(thrown, path);
    if (error.code !== "STORE_DAMAGED") throw error;
    return { ok: false, problems: [thrown instanceof Error ? thrown.message : String(thrown)] };
  }
}

function problems(database: DatabaseSync, limit: number): string[] {
  const found = pragmaProblems(database, "integrity_check", limit);
  if (found.length > 0) return found;
  return [...unsound(database, "sessions", sessionColumns), ...unsound(database, "drafts", draftColumns)].slice(0, limit);
}

function pragmaProblems(database: DatabaseSync, check: "integrity_check" | "quick_check", limit: number): string[] {
  const rows = database.prepare(`PRAGMA ${check}(${limit})`).all();
  return rows.map((row) => String(row[check])).filter((line) => line !== "ok");
}

function unsound(database: DatabaseSync, table: "sessions" | "drafts", columns: readonly string[]): string[] {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table) === undefined) return [];
  const found: string[] = [];
  for (const row of database.prepare(`SELECT rowid AS place, ${columns.join(", ")} FROM ${table}`).iterate()) {
    if (!isSound(row, columns)) found.push(`row ${String(row["place"])} of ${table} does not match its checksum`);
  }
  return found;
}

/** Whether a row is unchanged since it was written. */
export function isSound(row: Record<string, unknown>, columns: readonly string[]): boolean {
  return checksumOf(row, columns) === row["checksum"];
}

const headerSize = 32;
const frameHeaderSize = 24;

/**
 * What is wrong with a write-ahead log; undefined if nothing is. SQLite replays a log up to the first frame with a wrong checksum and
 * silently drops the rest, including commits, so this checks it before SQLite does. A log that was cut off by a power failure in the middle
 * of a write looks damaged as well. Format: sqlite.org/fileformat2.html, section 4.
 */
export function walProblem(path: string): string | undefined {
  let log: Buffer;
  try {
    log = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  if (log.length < headerSize || log.subarray(0, headerSize).every((byte) => byte === 0)) return undefined;
  const magic = log.readUInt32BE(0);
  const pageSize = log.readUInt32BE(8) || 65_536;
  if ((magic & ~1) !== 0x377f0682 || pageSize < 512 || pageSize > 65_536) return "the header of its write-ahead log is damaged";
  const sum = checksummer(log, (magic & 1) === 1);
  let state = sum(0, 24, [0, 0]);
  if (!matches(log, 24, state)) return "the header of its write-ahead log is damaged";

  const salts = log.subarray(16, 24);
  const frameSize = frameHeaderSize + pageSize;
  for (let at = headerSize, frame = 1; at + frameSize <= log.length; at += frameSize, frame += 1) {
    const ofThisLog = log.subarray(at + 8, at + 16).equals(salts);
    state = sum(at + frameHeaderSize, pageSize, sum(at, 8, state));
    const sound = matches(log, at + 16, state);
    // What follows the last commit is left from earlier rounds, with other salts and checksums of another chain.
    if (!ofThisLog && !sound) return undefined;
    if (!ofThisLog || !sound) return `frame ${frame} of its write-ahead log is damaged`;
  }
  return undefined;
}

type Sums = readonly [number, number];

function checksummer(log: Buffer, bigEndian: boolean): (from: number, length: number, seed: Sums) => Sums {
  const word = (at: number) => (bigEndian ? log.readUInt32BE(at) : log.readUInt32LE(at));
  return (from, length, [first, second]) => {
    let one = first;
    let two = second;
    for (let at = from; at < from + length; at += 8) {
      one = (one + word(at) + two) >>> 0;
      two = (two + word(at + 4) + one) >>> 0;
    }
    return [one, two];
  };
}

const matches = (log: Buffer, at: number, [one, two]: Sums) => log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === two;
