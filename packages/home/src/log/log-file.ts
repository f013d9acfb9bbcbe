import { appendFileSync } from "node:fs";
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

export interface LogFileOptions {
  path: string;
  /** The size in bytes at which the file is renamed to `.1`; default 5 MB. */
  maxBytes?: number;
  /** Total number of files; default 3. */
  maxFiles?: number;
}

export interface LogFile {
  write(line: string): void;
  /** Resolves when everything so far was written, or could not be. */
  flush(): Promise<void>;
}

/**
 * A log file with a maximum size that several processes may share. It writes in the background, so that logging never delays an answer, and
 * errors are ignored.
 */
export function openLogFile({ path, maxBytes = 5 * 1_024 * 1_024, maxFiles = 3 }: LogFileOptions): LogFile {
  let waiting = "";
  let writing: Promise<void> | undefined;
  const write = async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      const size = (await stat(path).catch(() => undefined))?.size ?? 0;
      if (size > 0 && size + text.length > maxBytes) await rotate(path, maxFiles);
      await appendFile(path, text, { mode: 0o600 });
    }
  };
  process.once("exit", () => {
    try {
      if (waiting !== "") appendFileSync(path, waiting, { mode: 0o600 });
    } catch {
      // There is nowhere left to report this.
    }
  });
  return {
    write(line) {
      waiting += `${line}\n`;
      writing ??= write()
        .catch(() => {
          waiting = "";
        })
        .finally(() => {
          writing = undefined;
        });
    },
    flush: async () => writing,
  };
}

async function rotate(path: string, maxFiles: number): Promise<void> {
  for (let age = maxFiles - 1; age >= 1; age--) {
    await rename(age === 1 ? path : `${path}.${age - 1}`, `${path}.${age}`).catch(() => {});
  }
}
