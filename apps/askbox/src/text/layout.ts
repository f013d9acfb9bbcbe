import cliTruncate from "cli-truncate";
import stringWidth from "string-width";
import wrapAnsi from "wrap-ansi";

/** Lays out sanitised text. Widths are terminal columns. */

/** No grapheme shown in one column is longer than this, so that cutting here loses nothing that would fit. */
const maxGraphemeLength = 16;

/** Cuts a line to `columns` and marks the cut with an ellipsis. */
export function shorten(line: string, columns: number): string {
  if (columns < 1) return "";
  if (columns === Number.POSITIVE_INFINITY) return line;
  const fits = line.length > columns * maxGraphemeLength ? `${line.slice(0, columns * maxGraphemeLength)}…` : line;
  return cliTruncate(fits, columns);
}

export function pad(line: string, columns: number): string {
  return line + " ".repeat(Math.max(0, columns - stringWidth(line)));
}

export function widthOf(line: string): number {
  return stringWidth(line);
}

/** Rows as lines, each column as wide as its widest cell. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Wraps text to `columns`, indenting each line after the first by `indent`; the caller has already indented the first. */
export function wrap(text: string, columns: number, indent: number): string {
  const room = Math.max(20, columns - indent);
  return text
    .split("\n")
    .flatMap((line) => wrapAnsi(line, room, { hard: true, trim: false, wordWrap: true }).split("\n").map(trimmedRow))
    .join(`\n${" ".repeat(indent)}`);
}

/** Wraps text to `columns` exactly where a row is full, so that no space is lost. */
export function wrapExactly(text: string, columns: number): string[] {
  return text
    .split("\n")
    .flatMap((line) => wrapAnsi(line, Math.max(20, columns), { hard: true, trim: false, wordWrap: false }).split("\n"));
}

/** A line keeps its own indent but loses the space at which it was broken. */
const trimmedRow = (row: string, index: number): string => (index === 0 ? row.trimEnd() : row.trim());
