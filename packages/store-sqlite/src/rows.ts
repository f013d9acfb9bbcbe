import { crc32 } from "node:zlib";
import { AskboxError, type Draft, type SessionRecord } from "@askbox/core";
import type { AuditEntry } from "@askbox/core/audit";
import { draftSchema } from "@askbox/core/schemas";
import { isUndelivered, readRecord, searchText } from "@askbox/core/stores";

/**
 * A session, a draft and an entry of the record of approvals as rows, and the statements for them. `body` is the record as JSON, and all
 * that is ever read back; the other columns are for finding it. A checksum shows bits that have turned.
 */

export type Value = string | number | null;

/** The columns that an ordinary change of a session updates. */
export const changingColumns = ["revision", "state", "closed_at", "deadline_at", "undelivered", "search", "body", "checksum"] as const;

/** The columns that are set on insert and usually never change. */
export const constantColumns = ["owner", "scope", "digest", "key", "created_at", "project", "agent_id", "client"] as const;

export const sessionColumns = ["id", ...constantColumns, ...changingColumns] as const;
export const draftColumns = ["session_id", "revision", "updated_at", "body", "checksum"] as const;

export const auditColumns = ["number", "at", "previous", "hash", "line"] as const;

export type SessionRow = Record<(typeof sessionColumns)[number], Value>;
export type DraftRow = Record<(typeof draftColumns)[number], Value>;

/** `body` is the record as JSON, if already serialized. */
export function sessionRow(record: SessionRecord, body = JSON.stringify(record)): SessionRow {
  const { id, revision, state, owner, scope, digest, key, asker } = record;
  const row = {
    id: exact(id),
    owner: exact(owner),
    scope: exact(scope),
    digest: exact(digest),
    key: exactOrNull(key),
    created_at: record.createdAt,
    project: exactOrNull(asker.project),
    agent_id: exactOrNull(asker.agentId),
    client: exact(asker.client.name),
    revision,
    state,
    closed_at: record.closedAt,
    deadline_at: record.context.deadlineAt,
    undelivered: isUndelivered(record) ? 1 : 0,
    search: searchText(record).toWellFormed(),
    body,
    checksum: 0,
  };
  row.checksum = checksumOf(row, sessionColumns);
  return row;
}

/** `body` is the draft as JSON, if already serialized. */
export function draftRow(draft: Draft, body = JSON.stringify(draft)): DraftRow {
  const row = { session_id: exact(draft.sessionId), revision: draft.revision, updated_at: draft.updatedAt, body, checksum: 0 };
  row.checksum = checksumOf(row, draftColumns);
  return row;
}

export const auditRow = (entry: AuditEntry): Record<(typeof auditColumns)[number], Value> => ({ ...entry });

export const entryOf = ({ number, at, previous, hash, line }: Record<string, unknown>): AuditEntry => ({
  number: Number(number),
  at: Number(at),
  previous: String(previous),
  hash: String(hash),
  line: String(line),
});

/** The values of these columns, in order. */
export function pick<Column extends string>(row: Record<Column, Value>, columns: readonly Column[]): Value[] {
  return columns.map((column) => row[column]);
}

/** Detects flipped bits in a row. Not a protection against tampering: anyone who can write the file can write the checksum. */
export function checksumOf(row: Record<string, unknown>, columns: readonly string[]): number {
  return crc32(columns.map((column) => (column === "checksum" ? "" : row[column])).join("\u0001"));
}

export function recordOf(body: unknown): SessionRecord {
  return readRecord(parse(body));
}

export function draftOf(body: unknown): Draft {
  const read = draftSchema.safeParse(parse(body));
  if (read.success) return read.data;
  throw new AskboxError("STORE_DAMAGED", "A stored draft cannot be read; it is not valid.", { cause: read.error });
}

function parse(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch (error) {
    throw new AskboxError("STORE_DAMAGED", "A stored record cannot be read; it is not JSON.", { cause: error });
  }
}

/**
 * A string as stored in a column: the contents of its JSON literal. SQLite stores UTF-8, which cannot represent lone surrogates, so they
 * would all look alike; JSON escapes keep strings distinct and preserve prefixes.
 */
export const exact = (text: string): string => JSON.stringify(text).slice(1, -1);
const exactOrNull = (text: string | undefined): string | null => (text === undefined ? null : exact(text));

/** The inverse of `exact`. */
export const fromExact = (column: unknown): string => JSON.parse(`"${String(column)}"`) as string;

const holes = (columns: readonly string[]) => columns.map(() => "?").join(", ");
const assignments = (columns: readonly string[]) => columns.map((column) => `${column} = ?`).join(", ");
const stillPending = "EXISTS (SELECT 1 FROM sessions WHERE id = ? AND state = 'pending')";

/** A damaged body counts as neither. */
const withdrawnUnseen = `CASE WHEN json_valid(body) THEN
  json_extract(body, '$.seenAt') IS NULL AND json_extract(body, '$.context.outcome.by.surface') = 'asker' ELSE 0 END`;

/** Every SQL statement except lists and counts; the comment beside each lists its parameters in order. */
export const statements = {
  /** sessionColumns. */
  insert: `INSERT INTO sessions (${sessionColumns.join(", ")}) VALUES (${holes(sessionColumns)}) ON CONFLICT DO NOTHING`,

  /** changingColumns, id, the expected revision, constantColumns. Does not set unchanged columns, so that their indexes are not updated. */
  change: `UPDATE sessions SET ${assignments(changingColumns)}
    WHERE id = ? AND revision = ? AND ${constantColumns.map((column) => `${column} IS ?`).join(" AND ")}`,

  /** changingColumns, constantColumns, id, the expected revision. */
  replace: `UPDATE sessions SET ${assignments([...changingColumns, ...constantColumns])} WHERE id = ? AND revision = ?`,

  /** id. */
  get: "SELECT body FROM sessions WHERE id = ?",

  /** owner, key. */
  getByKey: "SELECT body FROM sessions INDEXED BY pending_by_key WHERE state = 'pending' AND owner = ? AND key = ?",

  /** createdAt and id after which to continue, maximum number. A damaged body counts as declined. */
  facts: `SELECT created_at, id, closed_at, client, project, CASE
      WHEN state <> 'pending' AND key >= 'denial:' AND key < 'denial;' THEN CASE WHEN state <> 'answered' THEN 'stands'
        WHEN json_valid(body) AND json_extract(body, '$.context.outcome.answers[0].values[0]') = 'allow' THEN 'overruled' ELSE 'agreed' END
      WHEN state = 'cancelled' AND json_valid(body)
      AND json_extract(body, '$.context.outcome.by.surface') = 'asker' THEN 'withdrawn' ELSE state END AS ending
    FROM sessions INDEXED BY sessions_by_time WHERE (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?`,

  /** Deadline, maximum number. */
  due: `SELECT id, deadline_at FROM sessions INDEXED BY pending_by_deadline
    WHERE state = 'pending' AND deadline_at IS NOT NULL AND deadline_at <= ? ORDER BY deadline_at, id LIMIT ?`,

  /** Closed before this time: any session; undelivered ones; delivered ones; ones that were withdrawn unseen. Then the maximum number. */
  remove: `DELETE FROM sessions WHERE number IN (
      SELECT number FROM sessions INDEXED BY settled_by_time WHERE state <> 'pending' AND closed_at < ? AND (
        closed_at < CASE undelivered WHEN 1 THEN ? ELSE ? END
        OR (state = 'cancelled' AND closed_at < ? AND ${withdrawnUnseen})
      ) ORDER BY closed_at LIMIT ?
    ) RETURNING id`,

  /** auditColumns. */
  addEntry: `INSERT INTO audit (${auditColumns.join(", ")}) VALUES (${holes(auditColumns)})`,
  lastEntry: `SELECT ${auditColumns.join(", ")} FROM audit ORDER BY number DESC LIMIT 1`,
  /** Number of the previous entry, maximum number. */
  listEntries: `SELECT ${auditColumns.join(", ")} FROM audit WHERE number > ? ORDER BY number LIMIT ?`,
  /** Maximum time, maximum number. Stops at the first newer entry, and keeps the newest entry. */
  removeEntries: `DELETE FROM audit WHERE
    number < coalesce((SELECT number FROM audit WHERE at >= ? ORDER BY number LIMIT 1), (SELECT max(number) FROM audit))
    AND number < (SELECT min(number) FROM audit) + ?`,

  /** The session's id. */
  getDraft: "SELECT body FROM drafts WHERE session_id = ?",
  listDrafts: "SELECT body FROM drafts ORDER BY updated_at, session_id",

  /** The session's id. */
  removeDraft: "DELETE FROM drafts WHERE session_id = ?",

  /** draftColumns, the session's id. */
  insertDraft: `INSERT INTO drafts (${draftColumns.join(", ")}) SELECT ${holes(draftColumns)} WHERE ${stillPending} ON CONFLICT DO NOTHING`,

  /** draftColumns, the session's id, the expected revision, the session's id. */
  changeDraft: `UPDATE drafts SET ${assignments(draftColumns)} WHERE session_id = ? AND revision = ? AND ${stillPending}`,
};
