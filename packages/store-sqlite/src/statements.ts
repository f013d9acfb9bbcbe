import { auditColumns, changingColumns, constantColumns, draftColumns, sessionColumns } from "./rows.ts";

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
  facts: `SELECT created_at, id, closed_at, client, project, CASE WHEN state = 'cancelled' AND json_valid(body)
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
