import { setImmediate } from "node:timers/promises";
import { type PagePosition, pageLimit, readCursor, type StoreQuery, searchWords } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";
import { exact, fromExact, type Value } from "./rows.ts";
import { candidatesFor } from "./search-index.ts";

/**
 * Lists, counts and searches as SQL. Each statement names the index that serves it, since a wrong guess reads 100,000 sessions;
 * `test/plans.test.ts` holds them to it. A search reads some sessions in order, then asks its index, and lets other work run in between.
 */

export interface Query {
  sql: string;
  values: Value[];
}

/**
 * The statement for a list. It names its index, because SQLite would otherwise guess without statistics, and might scan 100,000 settled
 * sessions to find a pending one.
 */
export function listQuery(query: StoreQuery, { from, to, among, most }: Section = {}): Query & { limit: number } {
  const limit = pageLimit(query.limit);
  const { conditions, values } = filters(query);
  addBound(query, conditions, values, from ?? startOf(query), false);
  addBound(query, conditions, values, to, true);
  if (among !== undefined) {
    conditions.push("number IN (SELECT value FROM json_each(?))");
    values.push(JSON.stringify(among));
  }
  // One row more than the page shows whether there is a next page. If some rows are skipped, the bodies of the others are read one by one.
  const columns = query.skip === undefined ? "created_at, id, body" : "created_at, id";
  const source = sourceOf(among === undefined ? `INDEXED BY ${indexFor(query)}` : "NOT INDEXED", conditions);
  return { sql: `SELECT ${columns} ${source} ${orderOf(query)} LIMIT ?`, values: [...values, most ?? limit + 1], limit };
}

/** The part of a list that one statement reads. */
export interface Section {
  /** Begins after this session; default at the query's cursor. */
  from?: PagePosition | undefined;
  /** Ends with this session. */
  to?: PagePosition | undefined;
  /** Only sessions with one of these numbers, which are looked up one by one. */
  among?: readonly number[] | undefined;
  /** The maximum number of rows; default one more than the page has. */
  most?: number | undefined;
}

/** Where the list begins, after its cursor. */
const startOf = ({ cursor }: StoreQuery): PagePosition | undefined => (cursor === undefined ? undefined : readCursor(cursor));

/**
 * The statement for the session that is `rows` further down the index of a list, whether or not it matches; undefined if its index is not
 * in order of time.
 */
function aheadQuery(query: StoreQuery, from: PagePosition | undefined, rows: number): Query | undefined {
  const index = indexFor(query);
  if (index !== "sessions_by_time" && index !== "pending_by_time") return undefined;
  const conditions = isPendingOnly(query) ? ["state = 'pending'"] : [];
  const values: Value[] = [];
  addBound(query, conditions, values, from, false);
  const sql = `SELECT created_at, id ${sourceOf(`INDEXED BY ${index}`, conditions)} ${orderOf(query)} LIMIT 1 OFFSET ?`;
  return { sql, values: [...values, rows - 1] };
}

function addBound(query: StoreQuery, conditions: string[], values: Value[], bound: PagePosition | undefined, isEnd: boolean): void {
  if (bound === undefined) return;
  const isAscending = query.order === "oldest";
  conditions.push(`(created_at, id) ${isAscending === isEnd ? "<" : ">"}${isEnd ? "=" : ""} (?, ?)`);
  values.push(bound.createdAt, exact(bound.id));
}

function orderOf({ order }: StoreQuery): string {
  const direction = order === "oldest" ? "ASC" : "DESC";
  return `ORDER BY created_at ${direction}, id ${direction}`;
}

export function countQuery(query: StoreQuery): Query {
  const { conditions, values } = filters(query);
  return { sql: `SELECT count(*) AS count ${sourceOf(`INDEXED BY ${indexFor(query)}`, conditions)}`, values };
}

function sourceOf(indexing: string, conditions: readonly string[]): string {
  return `FROM sessions ${indexing} ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}`;
}

function indexFor(query: StoreQuery): string {
  if (query.idPrefix !== undefined && query.idPrefix !== "") return "sessions_by_id";
  if (query.undelivered === true) return "undelivered_by_scope";
  if (!isPendingOnly(query)) return "sessions_by_time";
  if (query.digest !== undefined) return "pending_by_digest";
  if (query.owner === undefined) return "pending_by_time";
  return query.key === undefined ? "pending_by_owner" : "pending_by_key";
}

const isPendingOnly = ({ states }: StoreQuery) => states?.length === 1 && states[0] === "pending";

function filters(query: StoreQuery): { conditions: string[]; values: Value[] } {
  const conditions: string[] = [];
  const values: Value[] = [];
  const add = (condition: string, ...bound: Value[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  const equal = (column: string, text: string | undefined) => {
    if (text !== undefined) add(`${column} = ?`, exact(text));
  };
  // A partial index is only used by a query that contains its condition literally.
  if (isPendingOnly(query)) add("state = 'pending'");
  else if (query.states !== undefined) add(`state IN (${query.states.map(() => "?").join(", ")})`, ...query.states);
  equal("owner", query.owner);
  equal("scope", query.scope);
  equal("digest", query.digest);
  equal("key", query.key);
  equal("project", query.project);
  equal("agent_id", query.agentId);
  equal("client", query.clientName);
  if (query.machine !== undefined) add("json_extract(body, '$.asker.machine') = ?", query.machine.toWellFormed());
  if (query.undelivered !== undefined) add(`undelivered = ${query.undelivered ? 1 : 0}`);
  if (query.closedSince !== undefined) add("closed_at >= ?", query.closedSince);
  if (query.idPrefix !== undefined && query.idPrefix !== "") {
    const prefix = exact(query.idPrefix);
    // No character sorts after U+10FFFF, and `exact` never writes it.
    add("id >= ? AND id < ?", prefix, `${prefix}\u{10ffff}`);
  }
  for (const word of searchWords(query.text ?? "")) add("instr(search, ?) > 0", word.toWellFormed());
  return { conditions, values };
}

type Row = Record<string, unknown>;

/** How many sessions a search looks through before other work can run: 2 to 4 ms. */
const lookedAtOnce = 2_000;

/**
 * The rows of a list's page, and one more if there is a next page. A search looks through the first 2,000 sessions in order, where a frequent
 * word soon fills the page, and then asks the index. Where the index can't help, it goes on in order, and lets other work run in between.
 */
export async function searchedRows(read: <Result>(work: (connection: Connection) => Result) => Result, asked: StoreQuery): Promise<Row[]> {
  // A machine's name is in the text that is searched, where the index finds it; which field it stands in, only the body says.
  const text = [asked.text, asked.machine].filter((part) => part !== undefined).join(" ");
  const query = { ...asked, text };
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
