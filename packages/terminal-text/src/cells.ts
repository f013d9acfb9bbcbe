import stringWidth from "string-width";

/** One grapheme cluster and how many columns of a terminal it takes: 0, 1 or 2. */
export interface Cell {
  text: string;
  width: number;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const plain = /^[ -~]*$/;

const widths = new Map<string, number>();
const keptWidths = 10_000;

/** The columns that one line takes. */
export function textWidth(line: string): number {
  return plain.test(line) ? line.length : cellsOf(line).reduce((sum, { width }) => sum + width, 0);
}

/** Remembered: the same few signs are measured for each row of each frame. */
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

/** The line, cut to `width` columns with an ellipsis where it is longer. */
export function truncateLine(line: string, width: number): string {
  if (textWidth(line) <= width) return line;
  if (width <= 0) return "";
  let taken = "";
  let used = 0;
  for (const cell of cellsOf(line)) {
    if (used + cell.width > width - 1) break;
    taken += cell.text;
    used += cell.width;
  }
  return `${taken}…`;
}

/** The line, cut or filled with spaces to exactly `width` columns. */
export function padLine(line: string, width: number): string {
  const cut = truncateLine(line, width);
  return cut + " ".repeat(Math.max(0, width - textWidth(cut)));
}
