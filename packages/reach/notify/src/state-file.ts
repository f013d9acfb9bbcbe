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
  const writer = newestWriter(async (state: unknown) => {
    if (path === undefined) return;
    const temporary = `${path}.${randomBytes(4).toString("hex")}`;
    try {
      await writeFile(temporary, JSON.stringify(state), { mode: 0o600, flush: true });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      warnOnce(sentences.unsaved, { error: String(error) });
    }
  });
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
    ...writer,
  };
}

/** Writes states one after the other; of those that are saved during a write, only the newest. */
export interface NewestWriter<State> {
  /** `state` is called when its write begins. */
  save(state: () => State): void;
  /** Resolves once everything is written. Rejects as `write` does. */
  written(): Promise<void>;
}

export function newestWriter<State>(write: (state: State) => Promise<void>): NewestWriter<State> {
  let newest: (() => State) | undefined;
  let writing: Promise<void> | undefined;
  const writeAll = async () => {
    try {
      while (newest !== undefined) {
        const state = newest;
        newest = undefined;
        await write(state());
      }
    } finally {
      writing = undefined;
    }
  };
  return {
    save(state) {
      newest = state;
      if (writing !== undefined) return;
      writing = writeAll();
      // Who needs to know awaits `written`.
      writing.catch(() => {});
    },
    async written() {
      await writing;
    },
  };
}
