import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError } from "@askbox/core";
import { ensurePrivateFolder } from "./private-file.ts";
import { type ProcessLock, takeLock, takeLockNow } from "./process-lock.ts";

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
