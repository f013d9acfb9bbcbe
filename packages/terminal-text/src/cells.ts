import stringWidth from "string-width";

/** One grapheme cluster and its width in terminal columns: 0, 1 or 2. */
export interface Cell {
  text: string;
  width: number;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const plain = /^[ -~]*$/;

const widths = new Map<string, number>();
const keptWidths = 10_000;

const lineWidths = new Map<string, number>();
const keptLines = 2_000;
/** Longer lines are rarely measured twice, and too big to cache. */
const maxKeptLineLength = 300;

/** The width of a line in columns. Cached, since most rows of a screen are the same as in the previous frame. */
export function textWidth(line: string): number {
  if (plain.test(line)) return line.length;
  const known = lineWidths.get(line);
  if (known !== undefined) return known;
  const width = cellsOf(line).reduce((sum, cell) => sum + cell.width, 0);
  if (line.length > maxKeptLineLength) return width;
  if (lineWidths.size >= keptLines) lineWidths.clear();
  lineWidths.set(line, width);
  return width;
}

/** Cached: the same few characters are measured for each row of each frame. */
function clusterWidth(cluster: string): number {
  const known = widths.get(cluster);
  if (known !== undefined) return known;
  if (widths.size >= keptWidths) widths.clear();
  const width = stringWidth(cluster);
  widths.set(cluster, width);
  return width;
}

/** A line's grapheme clusters, in order. */
export function cellsOf(line: string): Cell[] {
  if (plain.test(line)) return Array.from(line, (text) => ({ text, width: 1 }));
  return Array.from(segmenter.segment(line), ({ segment }) => ({ text: segment, width: clusterWidth(segment) }));
}

/** The line, truncated to `width` columns with an ellipsis. Reads no more of it than necessary. */
export function truncateLine(line: string, width: number): string {
  if (plain.test(line)) return line.length <= width ? line : width <= 0 ? "" : `${line.slice(0, width - 1)}…`;
  let taken = "";
  let fits = "";
  let used = 0;
  for (const { segment } of segmenter.segment(line)) {
    const cell = clusterWidth(segment);
    if (used + cell > width) return width <= 0 ? "" : `${fits}…`;
    used += cell;
    taken += segment;
    if (used < width) fits = taken;
  }
  return line;
}

/** Characters that must not begin a row: closing punctuation of East Asian text. */
const clings = /^[、。，．！？；：）」』】〉》”’…ー]/u;

/**
 * Line breaks for rows of at most `width` columns: the index of the first cell of each row. Rows break after spaces and between wide
 * characters, and within a word only if it alone is wider than a row. Trailing spaces may exceed the width.
 */
export function breakLine(cells: readonly Cell[], width: number): number[] {
  const room = Math.max(2, width);
  const starts = [0];
  let used = 0;
  let canBreakAt = 0;
  for (const [index, cell] of cells.entries()) {
    const start = starts.at(-1) ?? 0;
    const previous = cells[index - 1];
    if (index > start && mayBreak(previous, cell)) canBreakAt = index;
    if (used + cell.width > room && cell.text !== " " && index > start) {
      let next = canBreakAt > start ? canBreakAt : index;
      used = cells.slice(next, index).reduce((sum, { width: taken }) => sum + taken, 0);
      if (used + cell.width > room) {
        // The unbreakable part itself is wider than a row.
        next = index;
        used = 0;
      }
      starts.push(next);
    }
    used += cell.width;
  }
  return starts;
}

function mayBreak(before: Cell | undefined, after: Cell): boolean {
  if (before === undefined || after.text === " ") return false;
  if (before.text === " ") return true;
  return (before.width === 2 || after.width === 2) && !clings.test(after.text);
}

/** Text as rows of at most `width` columns, without trailing spaces. */
export function wrapText(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => {
    const cells = cellsOf(line);
    const starts = breakLine(cells, width);
    return starts.map((start, row) =>
      cells
        .slice(start, starts[row + 1])
        .map((cell) => cell.text)
        .join("")
        .trimEnd(),
    );
  });
}
