import { AskboxError } from "../errors.ts";

/** The page size: `StoreQuery.limit` clamped to 1–1,000; default 100. */
export function pageLimit(limit = 100): number {
  return Math.min(1_000, Math.max(1, Math.trunc(limit)));
}

/** A session's position in the order of a list. */
export interface PagePosition {
  createdAt: number;
  id: string;
}

/** The cursor of the page after this session. */
export function pageCursor({ createdAt, id }: PagePosition): string {
  return `${createdAt}_${id}`;
}

/** The session before a page. Throws `VALIDATION` for an invalid cursor. */
export function readCursor(cursor: string): PagePosition {
  const split = cursor.indexOf("_");
  const createdAt = split < 1 ? Number.NaN : Number(cursor.slice(0, split));
  if (Number.isFinite(createdAt)) return { createdAt, id: cursor.slice(split + 1) };
  throw new AskboxError("VALIDATION", "The cursor is invalid; start again without one.");
}
