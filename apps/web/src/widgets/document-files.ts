import { type DocumentLine, diffPairs } from "@askbox/core/documents";

/** A line with its index in the document. */
export interface IndexedLine extends DocumentLine {
  index: number;
}

/** The lines of one file of a diff, or a whole document. */
export interface DocumentFile {
  name: string;
  lines: readonly IndexedLine[];
}

/** A file begins with its names. */
export function filesOf(lines: readonly DocumentLine[]): DocumentFile[] {
  const files: { name: string; lines: IndexedLine[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const isStart = line.diff?.kind === "head" && lines[index - 1]?.diff?.kind !== "head" && !line.text.startsWith("\\");
    if (isStart || files.length === 0) files.push({ name: "", lines: [] });
    const file = files.at(-1) as (typeof files)[number];
    file.name ||= line.place?.path ?? "";
    file.lines.push({ ...line, index });
  }
  return files;
}

/** A row of the view: one line, or the old and the new side. */
export interface DocumentRow {
  cells: readonly (IndexedLine | undefined)[];
  number: "line" | "sides";
}

export function rowsOf({ lines }: DocumentFile, isWide: boolean): DocumentRow[] {
  if (!isWide || lines.every(({ diff }) => diff === undefined)) return lines.map((line) => ({ cells: [line], number: "line" }));
  const known = new Map(lines.map((line) => [line.diff, line]));
  return diffPairs(lines.flatMap(({ diff }) => diff ?? [])).map((pair) =>
    "whole" in pair
      ? { cells: [known.get(pair.whole)], number: "line" }
      : { cells: [pair.left, pair.right].map((side) => side && known.get(side)), number: "sides" },
  );
}
