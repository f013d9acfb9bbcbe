import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { WarnOnce } from "./failures.ts";

/** JSON in a file that only its owner can read, written atomically in the background. Problems are logged, once each. */
export interface StateFile {
  /** The stored state; undefined if there is none, or it is unreadable. */
  load(): Promise<unknown>;
  /** Writes are sequential; changes during a write go into the next one. */
  save(state: () => unknown): void;
  /** Resolves once everything is written. */
  written(): Promise<void>;
}

/** Without a path, nothing is stored. */
export function stateFile(path: string | undefined, sentences: { unreadable: string; unsaved: string }, warnOnce: WarnOnce): StateFile {
  let writing: Promise<void> | undefined;
  let isStale = false;
  const write = async (state: () => unknown) => {
    while (path !== undefined && isStale) {
      isStale = false;
      const temporary = `${path}.${randomBytes(4).toString("hex")}`;
      try {
        await writeFile(temporary, JSON.stringify(state()), { mode: 0o600, flush: true });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        warnOnce(sentences.unsaved, { error: String(error) });
      }
    }
    writing = undefined;
  };
  return {
    async load() {
      try {
        return path === undefined ? undefined : JSON.parse(await readFile(path, "utf8"));
      } catch (error) {
        const isMissing = (error as { code?: string }).code === "ENOENT";
        if (!isMissing) warnOnce(sentences.unreadable, { error: String(error) });
        return undefined;
      }
    },
    save(state) {
      isStale = true;
      writing ??= write(state);
    },
    async written() {
      await writing;
    },
  };
}
