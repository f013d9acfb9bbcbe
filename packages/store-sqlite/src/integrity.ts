import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { sqliteOpener } from "./connection.ts";
import { refuseNewer, versionOf } from "./migrations.ts";
import { checksumOf, draftColumns, sessionColumns } from "./rows.ts";
import { storeError } from "./sqlite-error.ts";

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
