/**
 * A document as rows: the files of a diff, each below its heading, or markdown block by block, with the comments below what they are about. A form
 * shows it as it is; where it is open to be commented, the marked units stand behind a mark. The rows of a long one are kept, since every key draws
 * a frame.
 */
import type { Question } from "@askbox/core";
import { type Comment, changeOf, type DiffLine, type DocumentFile, type DocumentLine, isRepeated, placeText } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import type { MarkdownBlock } from "../markdown/markdown.ts";
import { richBlocks } from "../markdown/rich-text.ts";
import { type CommentedDocument, type Unit, unitAt } from "../model/document.ts";
import { emptyRow, line, prefixed, type Row, type Span, span, splitLine, wrap } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

/** The colours of a diff's lines. */
export const diffTokens: Readonly<Partial<Record<DiffLine["kind"], Token>>> = {
  added: "success",
  removed: "error",
  hunk: "accent",
  head: "dim",
};

/** A heading that stays in view while the rows below it, to `to`, are scrolled. */
export interface Sticky {
  from: number;
  to: number;
  row: Row;
}

export interface DocumentLayout {
  rows: Row[];
  /** The first row of each unit. */
  unitTops: number[];
  /** The rows of the unit with the cursor, and of its comments. */
  focus: { from: number; to: number } | undefined;
  sticky: Sticky[];
}

interface LayoutOptions {
  width: number;
  plain: boolean;
  /** The marked lines, in any order; the cursor is on `to`. Without, nothing can be marked. */
  marked?: { from: number; to: number };
  /** Whether the list of files stands above them. */
  listsFiles?: boolean;
}

/** From this width on, a diff has a column for the old numbers and one for the new. */
const roomy = 70;

export function documentLayout(document: CommentedDocument, { width, plain, marked, listsFiles = true }: LayoutOptions): DocumentLayout {
  const { lines, files, units, comments, ends, hasFiles } = document;
  const layout: DocumentLayout = { rows: [], unitTops: [], focus: undefined, sticky: [] };
  const { rows, unitTops } = layout;
  const lead = marked === undefined || plain ? 0 : 2;
  const room = width - lead;
  const [anchor, cursor] = marked === undefined ? [-1, -1] : [unitAt(units, marked.from), unitAt(units, marked.to)];
  const [first, last] = [Math.min(anchor, cursor), Math.max(anchor, cursor)];
  const own = rowsOf(document, room, plain);
  const notes = new Map<number, Comment[]>();
  for (const [index, comment] of comments.entries()) {
    const end = ends[index];
    if (end === undefined) continue;
    const at = unitAt(units, end);
    // A file that was viewed says how many it has.
    notes.set(at, [...(notes.get(at) ?? []), comment]);
  }
  const set = (added: readonly Row[]) => (lead === 0 ? added : indented(added));
  const aside = (added: readonly Row[]) => rows.push(...set(added));
  const addUnit = (index: number, unitRows: readonly Row[]) => {
    unitTops[index] = rows.length;
    const from = rows.length;
    rows.push(...markedRows(unitRows, index, { first, last, cursor }, lead, plain));
    if (units[index]?.isFolded !== true) rows.push(...(notes.get(index) ?? []).flatMap((comment) => commentRows(comment, width)));
    // With the row above it, where a heading may stay.
    if (index === cursor) layout.focus = { from: index === 0 ? 0 : Math.max(0, from - 1), to: rows.length - 1 };
  };
  if (document.markdown === "rendered") {
    for (const [index, unit] of units.entries()) {
      addUnit(index, own(unit.from));
      if ((units[index + 1]?.from ?? unit.to) > unit.to + 1) rows.push(emptyRow);
    }
    rows.push(emptyRow);
    return layout;
  }
  if (listsFiles && hasFiles && files.length > 1) aside([...fileRows(document, room, plain), emptyRow]);
  let next = 0;
  for (const file of files) {
    const top = rows.length;
    const unit = (): Unit | undefined => units[next];
    const [head] = file.name === "" ? [] : set(headRow(file, {}, room, plain));
    if (unit()?.isFolded === true) {
      addUnit(next, headRow(file, { isViewed: true, comments: notes.get(next)?.length ?? 0 }, room, plain));
      next += 1;
      continue;
    }
    if (head !== undefined) rows.push(head);
    for (const each of file.lines) {
      const isUnit = unit()?.from === each.index;
      if (isUnit) addUnit(next, own(each.index));
      else if (!isRepeated(file, each)) aside(own(each.index));
      if (isUnit) next += 1;
    }
    if (head !== undefined) {
      layout.sticky.push({ from: top, to: rows.length - 1, row: head });
      rows.push(emptyRow);
    }
  }
  if (lines.length > 0 && rows.at(-1)?.length !== 0) rows.push(emptyRow);
  return layout;
}

/** The rows with the heading that stays in view, if what it is about begins above them. */
export function withSticky(shown: readonly Row[], sticky: readonly Sticky[], top: number): Row[] {
  const head = sticky.find(({ from, to }) => from < top && top <= to);
  return head === undefined || shown.length < 3 ? [...shown] : [head.row, ...shown.slice(1)];
}

function markedRows(
  rows: readonly Row[],
  index: number,
  { first, last, cursor }: { first: number; last: number; cursor: number },
  lead: number,
  plain: boolean,
): readonly Row[] {
  const isMarked = index >= first && index <= last;
  if (plain && isMarked) {
    const [top, ...others] = rows;
    return top === undefined ? [] : [...prefixed([top], span(index === cursor ? "current, " : "marked, ")), ...others];
  }
  if (lead === 0) return rows;
  if (!isMarked) return indented(rows);
  return [...prefixed(rows.slice(0, 1), span("› ", "accent")), ...prefixed(rows.slice(1), span("▏ ", "accent"))];
}

const keptIndented = new WeakMap<readonly Row[], Row[]>();

/** Rows beside the mark. */
function indented(rows: readonly Row[]): Row[] {
  const present = keptIndented.get(rows) ?? prefixed(rows, span("  "));
  keptIndented.set(rows, present);
  return present;
}

const kept = new WeakMap<Question, Map<string, Row[][]>>();
const keptLayouts = 4;
const keptBlocks = new WeakMap<readonly MarkdownBlock[], Map<number, Row[]>>();

/** The rows of a line, or of the block that begins there; made when they are first shown. */
function rowsOf({ question, text, lines, markdown }: CommentedDocument, width: number, plain: boolean): (index: number) => Row[] {
  const blocks = markdown === "rendered" ? richBlocks(text, width, plain) : undefined;
  if (blocks !== undefined) {
    const byLine = keptBlocks.get(blocks) ?? new Map(blocks.map(({ from, rows }) => [from, rows]));
    keptBlocks.set(blocks, byLine);
    return (index) => byLine.get(index) ?? [];
  }
  const layouts = kept.get(question) ?? new Map<string, Row[][]>();
  kept.set(question, layouts);
  const key = `${width} ${plain}`;
  const present = layouts.get(key) ?? [];
  if (layouts.size >= keptLayouts) layouts.clear();
  layouts.set(key, present);
  const numbers = numbersOf(lines, width, plain);
  return (index) => {
    const each = lines[index];
    const rows = present[index] ?? (each === undefined ? [] : lineRows(each, numbers, width));
    present[index] = rows;
    return rows;
  };
}

interface Numbers {
  digits: number;
  areTwo: boolean;
}

function numbersOf(lines: readonly DocumentLine[], width: number, plain: boolean): Numbers {
  let [most, isNumbered] = [1, false];
  for (const { place, diff } of lines) {
    most = Math.max(most, place?.line ?? 1, diff?.before ?? 1, diff?.after ?? 1);
    isNumbered ||= diff?.before !== undefined || diff?.after !== undefined;
  }
  return { digits: String(most).length, areTwo: isNumbered && width >= roomy && !plain };
}

/** A line with its numbers and its sign. */
function lineRows({ text, diff, place }: DocumentLine, { digits, areTwo }: Numbers, width: number): Row[] {
  const shown = areTwo ? [diff?.before, diff?.after] : [place?.line];
  const number = span(shown.map((each) => `${each ?? ""}`.padStart(digits).concat(" ")).join(""), "dim");
  return wrap([span(exactText(text), (diff && diffTokens[diff.kind]) ?? "text")], width, { first: [number] });
}

function changeSpans({ added, removed }: { added: number; removed: number }): Span[] {
  return [span(`+${added}`, "success"), span(" "), span(`−${removed}`, "error")];
}

const nameOf = ({ name, was }: DocumentFile): string => exactText(was === undefined ? name : `${was} → ${name}`);

/** The heading of a file. */
function headRow(file: DocumentFile, { isViewed = false, comments = 0 }, width: number, plain: boolean): Row[] {
  const mark = plain ? "file " : isViewed ? "▸ " : "▾ ";
  const facts = [
    ...(file.change === undefined ? [] : [file.change]),
    ...(comments === 0 ? [] : [comments === 1 ? "1 comment" : `${comments} comments`]),
  ].map((fact) => span(`  ${fact}`, "dim"));
  const right = [...changeSpans(file), ...(isViewed ? [span("  ✓ viewed", "dim")] : [])];
  return [splitLine([span(mark, "dim"), span(nameOf(file), "heading"), ...facts], right, width)];
}

/** How much is changed, and each file with its share. */
function fileRows({ files, viewed }: CommentedDocument, width: number, plain: boolean): Row[] {
  const seen = viewed.length === 0 ? [] : [span(`  ${viewed.length} of ${files.length} viewed`, "dim")];
  const summary = line([span(`${files.length} files  `, "heading"), ...changeSpans(changeOf(files)), ...seen], width);
  return [summary, ...files.map((file, at) => fileRow(file, viewed.includes(at), undefined, width, plain))];
}

/** A file of a list; one of them can be current. */
function fileRow(file: DocumentFile, isViewed: boolean, isCurrent: boolean | undefined, width: number, plain: boolean): Row {
  const mark = isCurrent === undefined ? "" : isCurrent ? "› " : "  ";
  const seen = plain ? (isViewed ? "viewed, " : "") : isViewed ? "✓ " : "  ";
  const name = nameOf(file);
  const left = [span(mark, "accent"), span(seen, "success"), span(name, isCurrent ? "selection" : isViewed ? "dim" : undefined)];
  return splitLine(left, changeSpans(file), width);
}

/** The files of an open document, beside it: as many around the current one as there is room for. */
export function filesBeside(document: CommentedDocument, at: number, width: number, height: number): Row[] {
  const { files, units, viewed } = document;
  const current = units[unitAt(units, at)]?.file ?? 0;
  const [summary, ...rows] = [
    ...fileRows(document, width, false).slice(0, 1),
    ...files.map((file, index) => fileRow(file, viewed.includes(index), index === current, width, false)),
  ];
  const room = Math.max(1, height - 2);
  const top = Math.max(0, Math.min(current - Math.floor(room / 2), rows.length - room));
  return [...(summary === undefined ? [] : [summary, emptyRow]), ...rows.slice(top, top + room)];
}

function commentRows(comment: Comment, width: number): Row[] {
  const lead = span("  │ ", "accent");
  return prefixed(
    [...wrap([span(placeText(comment), "dim")], width - lead.text.length), ...wrap([span(comment.text)], width - lead.text.length)],
    lead,
  );
}
