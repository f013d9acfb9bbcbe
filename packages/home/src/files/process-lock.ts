import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError } from "@askbox/core";
import { ensurePrivateFolder, refuseForeignDatabase } from "./private-file.ts";

/**
 * A lock among processes, which the system releases when its process ends, however it ends: a transaction on an SQLite file of its own.
 * With it, a settings file is read, changed and written by one process at a time.
 */

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
function takeLockNow(path: string, timeout = 0): ProcessLock | undefined {
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

/** How often a lock that another process has is tried again, and for how long, in ms. Whoever has it reads and writes one small file. */
const [again, most] = [20, 10_000];
/** The same while nothing else in this process goes on. */
const mostOfThread = 2_000;

/**
 * Reads, changes and writes a small file while no other process does, so that of two changes none is lost. `change` is synchronous, and
 * reads the file itself. Throws `STORE_UNAVAILABLE` if that is not possible, and `FORBIDDEN` if another user could have put the lock there.
 */
export async function changeAlone<Result>(path: string, change: () => Result): Promise<Result> {
  ensurePrivateFolder(dirname(path));
  for (let waited = 0; waited <= most; waited += again) {
    const lock = await takeLock(`${path}.lock`);
    if (lock === undefined) {
      await pause(again);
      continue;
    }
    return changed(lock, change);
  }
  throw tooLate(path);
}

/** The same for code that can't leave its thread: it waits there. */
export function changeAloneNow<Result>(path: string, change: () => Result): Result {
  ensurePrivateFolder(dirname(path));
  const lock = takeLockNow(`${path}.lock`, mostOfThread);
  if (lock === undefined) throw tooLate(path);
  return changed(lock, change);
}

function changed<Result>(lock: ProcessLock, change: () => Result): Result {
  try {
    return change();
  } finally {
    lock.release();
  }
}

const tooLate = (path: string) => new AskboxError("STORE_UNAVAILABLE", `Another askbox is changing ${path}; try again in a moment.`);

let isHidden = false;

/** Suppresses Node's warning that its SQLite is experimental; call it before `node:sqlite` is loaded. Other warnings are kept. */
function hideSqliteWarning(): void {
  if (isHidden) return;
  isHidden = true;
  const emit = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning instanceof Error ? warning.message : warning).startsWith("SQLite is an experimental feature")) return;
    emit.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
}
