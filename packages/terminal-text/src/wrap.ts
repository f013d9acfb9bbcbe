import { type Cell, cellsOf } from "./cells.ts";

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
