import { setImmediate } from "node:timers/promises";
import { type PagePosition, pageLimit, type StoreQuery, searchWords } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";
import { aheadQuery, listQuery, startOf } from "./list-query.ts";
import { fromExact } from "./rows.ts";
import { candidatesFor } from "./search-index.ts";

type Row = Record<string, unknown>;

/** How many sessions a search looks through before other work can run: 2 to 4 ms. */
const lookedAtOnce = 2_000;

/**
 * The rows of a list's page, and one more if there is a next page. A search looks through the first 2,000 sessions in order, where a frequent
 * word soon fills the page, and then asks the index. Where the index can't help, it goes on in order, and lets other work run in between.
 */
export async function searchedRows(read: <Result>(work: (connection: Connection) => Result) => Result, query: StoreQuery): Promise<Row[]> {
  const { text = "" } = query;
  const wanted = pageLimit(query.limit) + 1;
  const rows: Row[] = [];
  let from = startOf(query);
  for (let isFirst = true; ; isFirst = false) {
    const to = read((connection): PagePosition | undefined => {
      const ahead = searchWords(text).length === 0 ? undefined : aheadQuery(query, from, lookedAtOnce);
      const end = ahead && connection.prepare(ahead.sql).get(...ahead.values);
      const to = end && { createdAt: Number(end["created_at"]), id: fromExact(end["id"]) };
      const add = (section: { from: PagePosition | undefined; to?: PagePosition | undefined; among?: readonly number[] | undefined }) => {
        const { sql, values } = listQuery(query, { ...section, most: wanted - rows.length });
        rows.push(...connection.prepare(sql).all(...values));
      };
      add({ from, to });
      if (to === undefined || rows.length >= wanted) return undefined;
      const among = isFirst ? candidatesFor(connection, text) : undefined;
      if (among === undefined) return to;
      add({ from: to, among });
      return undefined;
    });
    if (to === undefined) return rows;
    from = to;
    await setImmediate();
  }
}
