/**
 * An action that an agent asks to do, a document, and comments on its lines. What needs approval is wrapped and never cut. The rows of a long one
 * are kept, since every key draws a frame.
 */
import type { Action } from "@askbox/core";
import { type Comment, type DiffLine, type DocumentLine, diffLines, documentLines, placeText } from "@askbox/core/documents";
import { type ActionPart, actionParts } from "@askbox/core/questions";
import { actionLabels } from "@askbox/inbox/text";
import { exactText, suspectCharacters } from "@askbox/terminal-text";
import { richRows } from "../markdown/rich-text.ts";
import type { CommentedDocument } from "../model/document-keys.ts";
import { emptyRow, prefixed, type Row, span, wrap } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

const indent = span("  ");

const kept = new WeakMap<Action, { width: number; plain: boolean; rows: Row[] }>();

/** The whole action, wrapped: nothing that needs approval is cut. */
export function actionRows(action: Action, width: number, plain: boolean): Row[] {
  const known = kept.get(action);
  if (known?.width === width && known.plain === plain) return known.rows;
  const parts = actionParts(action);
  const suspects = [...new Set(parts.flatMap(({ text }) => suspectCharacters(text)))];
  const warning = `This contains characters that are invisible or look like others: ${suspects.join(", ")}`;
  const rows = [
    ...(suspects.length === 0 ? [] : wrap([span(warning, "error")], width)),
    ...parts.flatMap((part) => {
      const label = span(`${actionLabels[part.name]}:`, "dim");
      if (part.as === "line") return wrap([span(exactText(part.text), "text")], width, { first: [label, span(" ")], rest: [indent] });
      return [...wrap([label], width), ...prefixed(partRows(part, width - 2, plain), indent)];
    }),
  ];
  kept.set(action, { width, plain, rows });
  return rows;
}

const documents = new WeakMap<object, { width: number; rows: Row[] }>();

/** A review's whole document, with the numbers of its lines. */
export function documentRows(question: { document: string }, width: number): Row[] {
  const known = documents.get(question);
  if (known?.width === width) return known.rows;
  const lines = documentLines(question.document);
  const digits = digitsOf(lines);
  const rows = [...lines.flatMap((line) => lineRows(line, digits, width)), emptyRow];
  documents.set(question, { width, rows });
  return rows;
}

function partRows({ as, text }: ActionPart, width: number, plain: boolean): Row[] {
  if (as === "diff") {
    return diffLines(text).flatMap(({ kind, text: line }) => {
      const token = diffTokens[kind];
      return wrap([token === undefined ? span(exactText(line)) : span(exactText(line), token)], width);
    });
  }
  const exact = wrap([span(exactText(text), as === "code" ? "code" : "text")], width);
  // Rendered markdown hides some parts of the text, such as the target of a reference.
  return as === "markdown" ? [...richRows(text, width, plain), emptyRow, ...wrap([span("Raw text:", "dim")], width), ...exact] : exact;
}

const diffTokens: Readonly<Partial<Record<DiffLine["kind"], Token>>> = {
  added: "success",
  removed: "error",
  hunk: "accent",
  head: "dim",
};

interface DocumentView {
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
function lineRows({ text, diff, place }: DocumentLine, digits: number, width: number, mark = "", isMarked = false): Row[] {
  const number = span(`${place?.line ?? ""}`.padStart(digits).concat(" "), isMarked ? "accent" : "dim");
  const token = (diff && diffTokens[diff.kind]) ?? "text";
  return wrap([span(exactText(text), token, isMarked ? { strong: true } : {})], width, { first: [span(mark, "accent"), number] });
}

/** The width of the line numbers. */
const digitsOf = (lines: readonly DocumentLine[]): number =>
  String(lines.reduce((most, { place }) => Math.max(most, place?.line ?? 1), 1)).length;

function commentRows(comment: Comment, width: number): Row[] {
  const lead = span("  │ ", "accent");
  return prefixed(
    [...wrap([span(placeText(comment), "dim")], width - lead.text.length), ...wrap([span(comment.text)], width - lead.text.length)],
    lead,
  );
}
