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
