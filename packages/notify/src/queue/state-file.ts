import { randomBytes } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { WarnOnce } from "../channels/channel.ts";

/** JSON in a file that only its owner can read, written atomically in the background. Problems are logged, once each. */
export class StateFile {
  readonly #path: string | undefined;
  readonly #sentences: { unreadable: string; unsaved: string };
  readonly #warnOnce: WarnOnce;
  #writing: Promise<void> | undefined;
  #isStale = false;

  /** Without a path, nothing is stored. */
  constructor(path: string | undefined, sentences: { unreadable: string; unsaved: string }, warnOnce: WarnOnce) {
    this.#path = path;
    this.#sentences = sentences;
    this.#warnOnce = warnOnce;
  }

  /** The stored state; undefined if there is none, or it is unreadable. */
  async load(): Promise<unknown> {
    try {
      return this.#path === undefined ? undefined : JSON.parse(await readFile(this.#path, "utf8"));
    } catch (error) {
      const isMissing = (error as { code?: string }).code === "ENOENT";
      if (!isMissing) this.#warnOnce(this.#sentences.unreadable, { error: String(error) });
      return undefined;
    }
  }

  /** Writes are sequential; changes during a write go into the next one. */
  save(state: () => unknown): void {
    this.#isStale = true;
    this.#writing ??= this.#write(state).finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves once everything is written. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #write(state: () => unknown): Promise<void> {
    while (this.#path !== undefined && this.#isStale) {
      this.#isStale = false;
      const temporary = `${this.#path}.${randomBytes(4).toString("hex")}`;
      try {
        await writeFile(temporary, JSON.stringify(state()), { mode: 0o600, flush: true });
        await rename(temporary, this.#path);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        this.#warnOnce(this.#sentences.unsaved, { error: String(error) });
      }
    }
  }
}
