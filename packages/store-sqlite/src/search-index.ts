import type { DatabaseSync } from "node:sqlite";
import type { CancelTimer, Clock, Log } from "@askbox/core";
import { blockSize, numbersIn, SearchBlockBuilder, searchGrams, searchWords } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";

/**
 * The index of a search, in tables of its own: triggers note what is new or changed, and a worker in the background makes blocks of it, in
 * small steps. It may be behind, but never wrong: what isn't in a block waits, and what waits is always read.
 */

/**
 * The index of a search, in blocks of `@askbox/core/stores`. Triggers put each session whose text is new or changed among those that wait;
 * once a block's worth waits, it becomes the next block. So every session is in a block with its present text, or waits.
 *
 * The tables aren't a version of the file: they can be made from the sessions at any time. An older askbox, which doesn't know them, can use
 * the file and keeps them right, since the triggers are in the file. For the same reason they need nothing that only some builds of SQLite
 * have: Node 22.13 has no FTS5.
 *
 * A `ticket` tells whether a session's text has changed while its block was built. It fits into a JavaScript number.
 */
const tables = `
  CREATE TABLE search_waiting (number INTEGER PRIMARY KEY, ticket INTEGER NOT NULL) STRICT;
  CREATE TABLE search_blocks (block INTEGER PRIMARY KEY AUTOINCREMENT, always TEXT NOT NULL, members TEXT NOT NULL) STRICT;
  CREATE TABLE search_parts (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TRIGGER search_inserted AFTER INSERT ON sessions BEGIN
    INSERT OR REPLACE INTO search_waiting VALUES (new.number, random() & 0x1fffffffffffff);
  END;
  CREATE TRIGGER search_changed AFTER UPDATE OF search ON sessions WHEN new.search <> old.search BEGIN
    INSERT OR REPLACE INTO search_waiting VALUES (new.number, random() & 0x1fffffffffffff);
  END;
  CREATE TRIGGER search_removed AFTER DELETE ON sessions BEGIN
    DELETE FROM search_waiting WHERE number = old.number;
  END;
  INSERT INTO search_waiting SELECT number, 0 FROM sessions INDEXED BY sessions_by_time;
`;

/** `place` of a block's part. */
const placeOfPart = (block: number, part: number): number => block * 256 + part;

/** More candidates than this, which are read one by one, take longer than reading sessions in order until the page is full. */
const mostCandidates = 4_000;
/** The maximum number of waiting sessions among the candidates. There are more only in a store that is indexed for the first time. */
const mostWaiting = 3 * blockSize;

/** Adds the index to a database that has none. */
export function prepareSearch(database: DatabaseSync): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_waiting'").get() !== undefined) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have done it while this one waited for the lock.
    const isThere = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_waiting'").get() !== undefined;
    if (!isThere) database.exec(tables);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

/** The `number` of every session that a search for this text can find, and of some others; undefined if they are too many, or not known. */
export function candidatesFor({ prepare }: Connection, text: string): number[] | undefined {
  const grams = searchGrams(searchWords(text).map((word) => word.toWellFormed()));
  if (grams === undefined) return undefined;
  const waiting = prepare("SELECT number FROM search_waiting LIMIT ?").all(mostWaiting + 1);
  if (waiting.length > mostWaiting) return undefined;
  const candidates = new Set(waiting.map(({ number }) => Number(number)));
  const readPart = prepare("SELECT bytes FROM search_parts WHERE place = ?");
  for (const { block, always } of prepare("SELECT block, always FROM search_blocks").all()) {
    const found = numbersIn(grams, (part) => readPart.get(placeOfPart(Number(block), part))?.["bytes"] as Uint8Array | undefined);
    if (always !== "[]") found.push(...(JSON.parse(String(always)) as number[]));
    if (found.length === 0) continue;
    const members = JSON.parse(String(prepare("SELECT members FROM search_blocks WHERE block = ?").get(block as number)?.["members"]));
    for (const place of found) candidates.add(members[place]);
    if (candidates.size > mostCandidates + waiting.length) return undefined;
  }
  return [...candidates];
}

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
