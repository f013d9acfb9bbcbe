import type { DatabaseSync } from "node:sqlite";
import { blockSize, numbersIn, searchGrams, searchWords } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";

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
export const placeOfPart = (block: number, part: number): number => block * 256 + part;

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
