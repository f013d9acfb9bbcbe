import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { AskboxError } from "@askbox/core";
import { sqliteOpener } from "./connection.ts";
import { storeError } from "./sqlite-error.ts";

/**
 * Copies a database to another file, as it is at one moment, while others may use it. The copy appears there only once it is complete and on
 * disk; an existing file of that name is replaced.
 */
export function copyInto(database: DatabaseSync, target: string): void {
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
