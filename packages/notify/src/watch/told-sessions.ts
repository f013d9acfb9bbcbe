import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import type { WarnOnce } from "../channels/channel.ts";

/** The announced sessions, so that a restarted hub does not announce them again. */
export class ToldSessions {
  readonly #file: string | undefined;
  readonly #warnOnce: WarnOnce;
  readonly #ids: Set<string>;
  #saving: Promise<void> = Promise.resolve();

  /** Without a file, entries are kept in memory only. An unreadable file counts as empty. */
  constructor(file: string | undefined, warnOnce: WarnOnce) {
    this.#file = file;
    this.#warnOnce = warnOnce;
    this.#ids = new Set(file === undefined ? [] : read(file));
  }

  /** Whether it contains state from earlier hubs. */
  get remembers(): boolean {
    return this.#file !== undefined;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(ids: readonly string[]): void {
    for (const id of ids) this.#ids.add(id);
    this.#saving = this.#saving.then(() => this.#save());
  }

  /** A settled session is never announced again; the file is updated with the next `add`. */
  forget(id: string): void {
    for (const told of this.#ids) if (sessionOf(told) === id) this.#ids.delete(told);
  }

  /** Removes all but these. */
  keep(ids: ReadonlySet<string>): void {
    for (const told of this.#ids) if (!ids.has(sessionOf(told))) this.#ids.delete(told);
  }

  /** Resolves when additions are in the file. */
  saved(): Promise<void> {
    return this.#saving;
  }

  async #save(): Promise<void> {
    if (this.#file === undefined) return;
    const temporary = `${this.#file}.${randomBytes(4).toString("hex")}`;
    try {
      await writeFile(temporary, JSON.stringify([...this.#ids]), { mode: 0o600 });
      await rename(temporary, this.#file);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      this.#warnOnce("The announced questions could not be saved; after a restart they may be announced again.", { error: String(error) });
    }
  }
}

/** The session's id, a dot, and the number of announced replies of its agent. */
const sessionOf = (told: string): string => told.split(".", 1)[0] ?? told;

function read(file: string): string[] {
  try {
    const ids: unknown = JSON.parse(readFileSync(file, "utf8"));
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}
