import { closeSync, openSync } from "node:fs";
import { AskboxError } from "@askbox/core";
import { refuseForeignDatabase } from "./private-file.ts";
import { hideSqliteWarning } from "./sqlite-warning.ts";

/** SQLite's result code for a file that another process has locked. */
const busy = 5;

export interface ProcessLock {
  release(): void;
}

/**
 * Takes a lock that one process at a time can have; undefined if another has it. It is an exclusive transaction on a SQLite file, since the
 * operating system releases it when the process ends, on every platform and for any reason. Throws `STORE_UNAVAILABLE` if the file
 * cannot be written, and `FORBIDDEN` if another user could have put it there.
 */
export async function takeLock(path: string): Promise<ProcessLock | undefined> {
  return takeLockNow(path);
}

/** The same for code that can't leave its thread: it waits there, for these milliseconds at the most. */
export function takeLockNow(path: string, timeout = 0): ProcessLock | undefined {
  hideSqliteWarning();
  refuseForeignDatabase(path);
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  let database: InstanceType<typeof DatabaseSync> | undefined;
  try {
    createPrivate(path);
    const opened = new DatabaseSync(path, { timeout });
    database = opened;
    // The journal stays in memory: nothing is ever written, and no extra file is left behind.
    opened.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return { release: () => opened.close() };
  } catch (cause) {
    database?.close();
    if ((cause as { errcode?: number }).errcode === busy) return undefined;
    throw new AskboxError(
      "STORE_UNAVAILABLE",
      `The file ${path} cannot be used; make its folder writable, or remove the file if it is damaged.`,
      { cause },
    );
  }
}

/** Only its owner can read it, as everything in the home. A file that is there isn't opened: closing it would release a lock of this process. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
