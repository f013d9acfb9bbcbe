import { pageLimit, readCursor, type StoreQuery, searchWords } from "@askbox/core/stores";
import { exact, type Value } from "./rows.ts";

export interface Query {
  sql: string;
  values: Value[];
}

/**
 * The statement for a list. It names its index, because SQLite would otherwise guess without statistics, and might scan 100,000 settled
 * sessions to find a pending one.
 */
export function listQuery(query: StoreQuery): Query & { limit: number } {
  const limit = pageLimit(query.limit);
  const { conditions, values } = filters(query);
  const oldest = query.order === "oldest";
  if (query.cursor !== undefined) {
    const { createdAt, id } = readCursor(query.cursor);
    conditions.push(`(created_at, id) ${oldest ? ">" : "<"} (?, ?)`);
    values.push(createdAt, exact(id));
  }
  const direction = oldest ? "ASC" : "DESC";
  const order = `ORDER BY created_at ${direction}, id ${direction} LIMIT ?`;
  // One row more than the page shows whether there is a next page. If some rows are skipped, the bodies of the others are read one by one.
  const columns = query.skip === undefined ? "created_at, id, body" : "created_at, id";
  return { sql: `SELECT ${columns} ${from(query, conditions)} ${order}`, values: [...values, limit + 1], limit };
}

export function countQuery(query: StoreQuery): Query {
  const { conditions, values } = filters(query);
  return { sql: `SELECT count(*) AS count ${from(query, conditions)}`, values };
}

function from(query: StoreQuery, conditions: readonly string[]): string {
  return `FROM sessions INDEXED BY ${indexFor(query)} ${conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`}`;
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
