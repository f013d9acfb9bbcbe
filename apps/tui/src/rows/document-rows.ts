import { type Comment, type DiffLine, type DocumentLine, placeText } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import type { CommentedDocument } from "../model/document-keys.ts";
import { prefixed, type Row, span, wrap } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

export const diffTokens: Readonly<Partial<Record<DiffLine["kind"], Token>>> = {
  added: "success",
  removed: "error",
  hunk: "accent",
  head: "dim",
};

export interface DocumentView {
  document: CommentedDocument;
  /** The marked lines, in any order; the cursor is on `to`. */
  marked: { from: number; to: number };
  width: number;
  height: number;
  plain: boolean;
  /** The first line shown before. */
  before: number;
}

/** The part of a document around the cursor, with the comments below their lines. `top` and `below` are lines. */
export function commentedRows({ document, marked, width, height, plain, before }: DocumentView): {
  rows: Row[];
  top: number;
  below: number;
} {
  const { lines, comments, ends } = document;
  const digits = digitsOf(lines);
  const first = Math.min(marked.from, marked.to);
  const last = Math.max(marked.from, marked.to);
  const rowsAt = (index: number): Row[] => {
    const line = lines[index];
    if (line === undefined) return [];
    const isMarked = index >= first && index <= last;
    const mark = plain ? (index === marked.to ? "current, " : isMarked ? "marked, " : "") : isMarked ? "› " : "  ";
    const noted = comments.filter((_, at) => ends[at] === index).flatMap((comment) => commentRows(comment, width));
    return [...lineRows(line, digits, width, mark, isMarked), ...noted];
  };
  // The highest start with which the cursor's line and its comments are in view.
  let lowest = marked.to;
  let room = height - rowsAt(marked.to).length;
  while (lowest > 0) {
    room -= rowsAt(lowest - 1).length;
    if (room < 0) break;
    lowest -= 1;
  }
  const top = Math.min(marked.to, Math.max(before, lowest));
  const rows: Row[] = [];
  let end = top;
  for (; end < lines.length && rows.length < height; end += 1) rows.push(...rowsAt(end));
  return { rows: rows.slice(0, height), top, below: lines.length - end };
}

/** A line with its number and sign. */
export function lineRows({ text, diff, place }: DocumentLine, digits: number, width: number, mark = "", isMarked = false): Row[] {
  const number = span(`${place?.line ?? ""}`.padStart(digits).concat(" "), isMarked ? "accent" : "dim");
  const token = (diff && diffTokens[diff.kind]) ?? "text";
  return wrap([span(exactText(text), token, isMarked ? { strong: true } : {})], width, { first: [span(mark, "accent"), number] });
}

/** The width of the line numbers. */
export const digitsOf = (lines: readonly DocumentLine[]): number =>
  String(lines.reduce((most, { place }) => Math.max(most, place?.line ?? 1), 1)).length;

function commentRows(comment: Comment, width: number): Row[] {
  const lead = span("  │ ", "accent");
  return prefixed(
    [...wrap([span(placeText(comment), "dim")], width - lead.text.length), ...wrap([span(comment.text)], width - lead.text.length)],
    lead,
  );
}
