import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError } from "@askbox/core";
import { ensurePrivateFolder } from "./private-file.ts";
import { takeLock } from "./process-lock.ts";

/** How often a lock that another process has is tried again, and for how long, in ms. Whoever has it reads and writes one small file. */
const [again, most] = [20, 10_000];

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
    try {
      return change();
    } finally {
      lock.release();
    }
  }
  throw new AskboxError("STORE_UNAVAILABLE", `Another askbox is changing ${path}; try again in a moment.`);
}
