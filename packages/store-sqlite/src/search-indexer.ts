import type { CancelTimer, Clock, Log } from "@askbox/core";
import { blockSize, SearchBlockBuilder } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";
import { placeOfPart } from "./search-index.ts";

/** How many texts are read, or parts encoded, before other work can run: 1 to 3 ms. */
const atOnce = 32;
/** How long other work has in between, in ms. */
const pause = 15;

export interface SearchIndexerOptions {
  read<Result>(work: (connection: Connection) => Result): Result;
  write<Result>(work: (connection: Connection) => Result): Promise<Result>;
  log: Log;
  clock: Pick<Clock, "setTimer">;
}

/** Makes blocks of the waiting sessions, in the background and in small steps. What it hasn't stored when it is stopped, it does again. */
export class SearchIndexer {
  readonly #options: SearchIndexerOptions;
  /** How many sessions have been written since it last looked. */
  #written = 0;
  #working = false;
  #stopped = false;
  #wake: (() => void) | undefined;
  #cancel: CancelTimer | undefined;
  /** The block that was last checked for sessions that are gone. */
  #checked = 0;

  constructor(options: SearchIndexerOptions) {
    this.#options = options;
  }

  /** A session was written. */
  noted(): void {
    this.#written += 1;
    if (this.#written >= blockSize) this.start();
  }

  start(): void {
    this.#written = 0;
    if (this.#working || this.#stopped || !this.#isBlockWaiting()) return;
    this.#working = true;
    this.#work()
      .catch((error: unknown) => {
        // Searches read what is waiting; the next sessions start it again.
        if (!this.#stopped) this.#options.log("warn", "The index of the search could not be continued.", { error: String(error) });
      })
      .finally(() => {
        this.#working = false;
      });
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#wake?.();
  }

  async #work(): Promise<void> {
    while (!this.#stopped && this.#isBlockWaiting()) {
      await this.#addBlock();
      // Two for one, so that blocks of sessions that are gone don't become many.
      for (let count = 0; count < 2 && !this.#stopped; count += 1) await this.#checkBlock();
    }
  }

  #isBlockWaiting(): boolean {
    const last = this.#options.read(({ prepare }) => prepare("SELECT 1 FROM search_waiting LIMIT 1 OFFSET ?").get(blockSize - 1));
    return last !== undefined;
  }

  /** The newest first, which are found most often. */
  async #addBlock(): Promise<void> {
    const { read, write } = this.#options;
    const builder = new SearchBlockBuilder();
    const members: { number: number; ticket: number }[] = [];
    for (let before = Number.MAX_SAFE_INTEGER; members.length < blockSize; ) {
      const rows = read(({ prepare }) =>
        prepare(`SELECT number, ticket, search FROM search_waiting LEFT JOIN sessions USING (number)
          WHERE number < ? ORDER BY number DESC LIMIT ?`).all(before, Math.min(atOnce, blockSize - members.length)),
      );
      if (rows.length === 0) break;
      for (const { number, ticket, search } of rows) {
        builder.add(String(search ?? ""));
        members.push({ number: Number(number), ticket: Number(ticket) });
      }
      before = members.at(-1)?.number ?? 0;
      if (!(await this.#paused())) return;
    }
    const parts: { part: number; bytes: Uint8Array }[] = [];
    for (const part of builder.parts()) {
      parts.push(part);
      if (parts.length % atOnce === 0 && !(await this.#paused())) return;
    }
    await write(({ prepare }) => {
      const always = JSON.stringify(builder.always);
      const { lastInsertRowid } = prepare("INSERT INTO search_blocks (always, members) VALUES (?, ?)").run(
        always,
        JSON.stringify(members.map(({ number }) => number)),
      );
      const add = prepare("INSERT INTO search_parts VALUES (?, ?)");
      for (const { part, bytes } of parts) add.run(placeOfPart(Number(lastInsertRowid), part), bytes);
      const remove = prepare("DELETE FROM search_waiting WHERE number = ? AND ticket = ?");
      for (const { number, ticket } of members) remove.run(number, ticket);
    });
  }

  /** Removes the next block if most of its sessions are gone; the others wait again. */
  async #checkBlock(): Promise<void> {
    if (!(await this.#paused())) return;
    const next = "SELECT block, members FROM search_blocks WHERE block > ? ORDER BY block LIMIT 1";
    const found = this.#options.read(({ prepare }) => prepare(next).get(this.#checked));
    this.#checked = Number(found?.["block"] ?? 0);
    if (found === undefined) return;
    const { block, members } = found;
    const there = "FROM sessions WHERE number IN (SELECT value FROM json_each(?))";
    const count = this.#options.read(({ prepare }) => prepare(`SELECT count(*) AS count ${there}`).get(String(members))?.["count"]);
    if (Number(count) * 2 >= blockSize) return;
    await this.#options.write(({ prepare }) => {
      prepare(`INSERT OR REPLACE INTO search_waiting SELECT number, random() & 0x1fffffffffffff ${there}`).run(String(members));
      prepare("DELETE FROM search_blocks WHERE block = ?").run(Number(block));
      prepare("DELETE FROM search_parts WHERE place BETWEEN ? AND ?").run(placeOfPart(Number(block), 0), placeOfPart(Number(block), 255));
    });
  }

  /** Lets other work run; resolves with whether to continue. */
  async #paused(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#cancel = this.#options.clock.setTimer(pause, resolve);
    });
    return !this.#stopped;
  }
}
