import type { Comment } from "../session/answer.ts";
import { cut } from "../texts.ts";

/** Where a line is: in the old or the new file of a diff, or in the document itself if it has no side. */
export interface Place {
  path?: string;
  side?: "old" | "new";
  /** From 1. */
  line: number;
}

/** A line of a document; without a place it takes no comments, as a diff's headings. */
export interface DocumentLine {
  text: string;
  /** Of a diff's line, whose text begins with its sign. */
  diff?: DiffLine;
  place?: Place;
}

/** Whether a document is a unified diff or a patch for `apply_patch`, and not markdown. */
export function isDiff(document: string): boolean {
  const first = document.slice(0, document.search(/\S/) + 2_000).trimStart();
  return /^(?:diff --git |Index: |\*\*\* Begin Patch|--- .*\n\+\+\+ |@@+ -\d)/.test(first);
}

/** The lines of a document, in linear time. A line of a diff without numbers is named by its number in the document. */
export function documentLines(document: string, asDiff = isDiff(document)): DocumentLine[] {
  if (!asDiff) return document.split("\n").map((text, index) => ({ text, place: { line: index + 1 } }));
  let before: string | undefined;
  let after: string | undefined;
  return diffLines(document).map((diff, index): DocumentLine => {
    const { kind, text } = diff;
    if (kind === "head" || kind === "hunk") {
      const [, mark, name] = /^(--- |\+\+\+ |\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: )([^\t\r]+)/.exec(text) ?? [];
      if (name !== undefined && mark !== "+++ ") before = name.replace(/^a\//, "");
      if (name !== undefined && mark !== "--- ") after = name.replace(/^b\//, "");
      return { text, diff };
    }
    const isOld = kind === "removed";
    const name = isOld ? before : after;
    const path = name === undefined || name === "/dev/null" ? {} : { path: name };
    const line = isOld ? diff.before : diff.after;
    return { text, diff, place: line === undefined ? { ...path, line: index + 1 } : { ...path, side: isOld ? "old" : "new", line } };
  });
}

/** One line of a unified diff, with its sign. */
export interface DiffLine {
  kind: "head" | "hunk" | "same" | "added" | "removed";
  text: string;
  /** The line's number in the old and the new file. */
  before?: number;
  after?: number;
}

const hunk = /^@@+ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The start of a hunk without line numbers in a patch for `apply_patch`, where a file's first hunk needs no such line. */
const unnumbered = /^(?:@@(?: |$)|\*\*\* (?:Add File|Update File|Move to): )/;

/** Every line of a unified diff, or of a patch for `apply_patch`; none is omitted, even in an invalid diff. */
export function diffLines(diff: string): DiffLine[] {
  let isHunk = false;
  let before: number | undefined;
  let after: number | undefined;
  // Where the hunk says that it ends.
  let ends = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text): DiffLine => {
    const [start, from, olds = "1", to, news = "1"] = hunk.exec(text) ?? unnumbered.exec(text) ?? [];
    if (start !== undefined) {
      isHunk = true;
      before = from === undefined ? undefined : Number(from);
      after = to === undefined ? undefined : Number(to);
      ends = [Number(from) + Number(olds), Number(to) + Number(news)];
      return { kind: text.startsWith("@@") ? "hunk" : "head", text };
    }
    // The next file's names, which would be removed lines within a hunk.
    if (isHunk && text.startsWith("--- ") && (before ?? 0) >= ends[0] && (after ?? 0) >= ends[1]) isHunk = false;
    // Before the first hunk there are only file names.
    if (!isHunk) return { kind: "head", text };
    const old = () => before !== undefined && { before: before++ };
    const next = () => after !== undefined && { after: after++ };
    if (text.startsWith("+")) return { kind: "added", text, ...next() };
    if (text.startsWith("-")) return { kind: "removed", text, ...old() };
    if (text.startsWith(" ") || text === "") return { kind: "same", text, ...old(), ...next() };
    // `\ No newline at end of file`, or the next file's names.
    if (!text.startsWith("\\")) isHunk = false;
    return { kind: "head", text };
  });
}

/** A row of two columns: old and new; `whole` spans both. */
export type DiffPair = { whole: DiffLine } | { left: DiffLine | undefined; right: DiffLine | undefined };

/** The same lines side by side: a removed line is to the left of the line that replaced it. */
export function diffPairs(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as DiffLine;
    if (line.kind === "head" || line.kind === "hunk") {
      pairs.push({ whole: line });
      index += 1;
    } else if (line.kind === "same") {
      pairs.push({ left: line, right: line });
      index += 1;
    } else {
      const removed = run(lines, index, "removed");
      const added = run(lines, index + removed.length, "added");
      for (let row = 0; row < Math.max(removed.length, added.length); row += 1) pairs.push({ left: removed[row], right: added[row] });
      index += removed.length + added.length;
    }
  }
  return pairs;
}

function run(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): DiffLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(start, end);
}

/** The maximum length of a quotation, in UTF-16 units. */
const maxQuote = 2_000;
/** How many of its lines the list repeats. */
const maxQuotedLines = 3;

/** What can be commented by line: a review's document, or the diff or plan of an action. */
export function documentOf(question: object): string | undefined {
  if ("document" in question) return String(question.document);
  if (!("action" in question)) return undefined;
  const { diff, text } = question.action as { diff?: string; text?: string };
  return diff ?? text;
}

/**
 * The comments with the text of the lines they are about. A comment whose lines are not in the document, or don't have the text that it
 * quotes, is the sentence that says so.
 */
export function anchored(document: string, comments: readonly Comment[]): Comment[] | string {
  const lines = documentLines(document);
  const places = new Map<string, number>();
  for (const [index, { place }] of lines.entries()) if (place !== undefined) places.set(keyOf(place), index);
  const result: Comment[] = [];
  for (const comment of comments) {
    const { line, endLine, quote } = comment;
    const [start, end] = [places.get(keyOf(comment)), places.get(keyOf({ ...comment, line: endLine ?? line }))];
    if (start === undefined || end === undefined || end < start) return `${placeText(comment)} is not in the document.`;
    const text = quoteOf(lines, start, end);
    if (quote !== undefined && quote !== text) return `${placeText(comment)} doesn't have the text that is quoted.`;
    result.push({ ...comment, quote: text });
  }
  return result;
}

const keyOf = ({ path, side, line }: Place | Comment): string => `${side} ${line} ${path}`;

/** The text of lines, of the side of the first, without signs. */
function quoteOf(lines: readonly DocumentLine[], start: number, end: number): string {
  const side = lines[start]?.place?.side;
  let text = "";
  for (let index = start; index <= end && text.length < maxQuote; index += 1) {
    const { text: line, diff, place } = lines[index] as DocumentLine;
    if (place === undefined || (place.side !== side && diff?.kind !== "same")) continue;
    text += `${index === start ? "" : "\n"}${diff === undefined ? line : line.slice(1)}`;
  }
  return cut(text, maxQuote, "");
}

/** The index of the last line of each comment; a comment whose line is gone has none. */
export function endsOf(lines: readonly DocumentLine[], comments: readonly Comment[]): (number | undefined)[] {
  if (comments.length === 0) return [];
  const places = new Map(lines.map(({ place }, index) => [place && keyOf(place), index]));
  return comments.map((comment) => places.get(keyOf({ ...comment, line: comment.endLine ?? comment.line })));
}

/** A new comment on lines, from one index to another in any order; undefined if these cannot be commented together. */
export function commentOn(lines: readonly DocumentLine[], from: number, to: number, text: string): Comment | undefined {
  const places = lines.slice(Math.min(from, to), Math.max(from, to) + 1).flatMap(({ place }) => place ?? []);
  const side = places[0]?.side;
  const own = places.filter((place) => place.side === side && place.path === places[0]?.path);
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { ...first, ...(last.line > first.line && { endLine: last.line }), text };
}

/** `src/a.ts:3-5 (old)`, or `Line 3`. */
export function placeText({ path, side, line, endLine }: Place & { endLine?: number | undefined }): string {
  const lines = endLine === undefined || endLine === line ? `${line}` : `${line}-${endLine}`;
  const where = path === undefined ? `${lines.includes("-") ? "Lines" : "Line"} ${lines}` : `${path}:${lines}`;
  return side === "old" ? `${where} (old)` : where;
}

/** The comments as a markdown list, with what they quote. */
export function commentList(comments: readonly Comment[]): string {
  return comments
    .map((comment) => {
      const quoted = comment.quote === undefined ? [] : comment.quote.split("\n");
      const shown = quoted.slice(0, maxQuotedLines).map((line) => `> ${line}`);
      const more = quoted.length > maxQuotedLines ? ["> …"] : [];
      return [`- ${placeText(comment)}`, ...[...shown, ...more, "", ...comment.text.split("\n")].map((line) => `  ${line}`.trimEnd())].join(
        "\n",
      );
    })
    .join("\n");
}
