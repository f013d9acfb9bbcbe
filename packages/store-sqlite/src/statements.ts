import { auditColumns, changingColumns, constantColumns, draftColumns, sessionColumns } from "./rows.ts";

const holes = (columns: readonly string[]) => columns.map(() => "?").join(", ");
const assignments = (columns: readonly string[]) => columns.map((column) => `${column} = ?`).join(", ");
const stillPending = "EXISTS (SELECT 1 FROM sessions WHERE id = ? AND state = 'pending')";

/** A body that is damaged says nothing. */
const withdrawnUnseen = `CASE WHEN json_valid(body) THEN
  json_extract(body, '$.seenAt') IS NULL AND json_extract(body, '$.context.outcome.by.surface') = 'asker' ELSE 0 END`;

/** The text of every statement but lists and counts; the comment beside each names its parameters in order. */
export const statements = {
  /** sessionColumns. */
  insert: `INSERT INTO sessions (${sessionColumns.join(", ")}) VALUES (${holes(sessionColumns)}) ON CONFLICT DO NOTHING`,

  /** changingColumns, id, the expected revision, constantColumns. Leaves out what stays as it is, so that its indexes cost nothing. */
  change: `UPDATE sessions SET ${assignments(changingColumns)}
    WHERE id = ? AND revision = ? AND ${constantColumns.map((column) => `${column} IS ?`).join(" AND ")}`,

  /** changingColumns, constantColumns, id, the expected revision. */
  replace: `UPDATE sessions SET ${assignments([...changingColumns, ...constantColumns])} WHERE id = ? AND revision = ?`,

  /** id. */
  get: "SELECT body FROM sessions WHERE id = ?",

  /** owner, key. */
  getByKey: "SELECT body FROM sessions INDEXED BY pending_by_key WHERE state = 'pending' AND owner = ? AND key = ?",

  /** Until when, how many at most. */
  due: `SELECT id, deadline_at FROM sessions INDEXED BY pending_by_deadline
    WHERE state = 'pending' AND deadline_at IS NOT NULL AND deadline_at <= ? ORDER BY deadline_at, id LIMIT ?`,

  /** Closed before when at all, and before when what was not delivered, what was, and what was withdrawn unseen; how many at most. */
  remove: `DELETE FROM sessions WHERE number IN (
      SELECT number FROM sessions INDEXED BY settled_by_time WHERE state <> 'pending' AND closed_at < ? AND (
        closed_at < CASE undelivered WHEN 1 THEN ? ELSE ? END
        OR (state = 'cancelled' AND closed_at < ? AND ${withdrawnUnseen})
      ) ORDER BY closed_at LIMIT ?
    ) RETURNING id`,

  /** auditColumns. */
  addEntry: `INSERT INTO audit (${auditColumns.join(", ")}) VALUES (${holes(auditColumns)})`,
  lastEntry: `SELECT ${auditColumns.join(", ")} FROM audit ORDER BY number DESC LIMIT 1`,
  /** After which number, how many at most. */
  listEntries: `SELECT ${auditColumns.join(", ")} FROM audit WHERE number > ? ORDER BY number LIMIT ?`,
  /** From before when, how many at most. An older clock among newer ones ends it, and the newest stays. */
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
} as const;
