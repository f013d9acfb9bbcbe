import type { Tokens } from "marked";
import { aligned, beside, line, paneGap, type Row, rowWidth, type Span, span, wrap } from "../text/row.ts";

/** In a narrower column, prose would break after every word. */
const minProse = 12;

/** Renders a cell's content as spans. */
type Inline = (tokens: Tokens.TableCell["tokens"]) => Span[];

export interface TableOptions {
  width: number;
  /** For a screen reader: always a list. */
  plain: boolean;
  inline: Inline;
}

/** A table if its columns fit, otherwise a list of its rows. */
export function tableRows(table: Tokens.Table, { width, plain, inline }: TableOptions): Row[] {
  const cells = [table.header, ...table.rows].map((row) => row.map(({ tokens }) => inline(tokens)));
  const widths = plain ? undefined : columnWidths(cells, width);
  return widths === undefined ? listRows(table, width, inline) : drawnRows(table, cells, widths);
}

/** The widths of the columns: their full width if it fits, otherwise a share of the rest; undefined if a word would be broken. */
function columnWidths(cells: readonly Span[][][], width: number): number[] | undefined {
  const columns = cells[0]?.length ?? 0;
  const most = (measure: (cell: Span[]) => number) =>
    Array.from({ length: columns }, (_, column) => Math.max(1, ...cells.map((row) => measure(row[column] ?? []))));
  const wanted = most((cell) => widestRow(wrap(cell, maxMeasured)));
  const least = most((cell) => Math.max(Math.min(minProse, widestRow(wrap(cell, maxMeasured))), longestWord(cell)));
  const room = width - paneGap * (columns - 1);
  if (sum(least) > room) return undefined;
  // Narrowest first: each gets what it needs, up to an equal share of the rest.
  const order = wanted.map((_, column) => column).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const widths = [...least];
  let left = room - sum(least);
  for (const [done, column] of order.entries()) {
    const more = Math.min((wanted[column] ?? 0) - (least[column] ?? 0), Math.floor(left / (columns - done)));
    widths[column] = (least[column] ?? 0) + more;
    left -= more;
  }
  return widths;
}

/** Wider than any terminal. */
const maxMeasured = 10_000;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const widestRow = (rows: readonly Row[]): number => Math.max(0, ...rows.map(rowWidth));

function longestWord(cell: readonly Span[]): number {
  const text = cell.map((part) => part.text).join("");
  // East Asian text can break between any two characters.
  const words = text.split(/\s|(?=[\u2e80-\uffdc])/);
  return Math.max(0, ...words.map((word) => widestRow(wrap([span(word)], maxMeasured))));
}

function drawnRows({ header, align }: Tokens.Table, cells: readonly Span[][][], widths: readonly number[]): Row[] {
  const rows = cells.map((row, index) => {
    const panes = widths.map((width, column) => {
      const words = (row[column] ?? []).map((part): Span => (index === 0 ? { ...part, token: "heading" } : part));
      return wrap(words, width).map((each) => aligned(each, width, align[column] ?? "left"));
    });
    const height = Math.max(...panes.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) =>
      beside(panes.map((pane, column) => ({ row: pane[at] ?? line([], 0), width: widths[column] ?? 0 }))),
    );
  });
  const rule = line([span(widths.map((width) => "─".repeat(width)).join("─┼─"), "border")], sum(widths) + paneGap * (header.length - 1));
  const [head = [], ...body] = rows;
  // Separates rows of several lines.
  const isTall = body.some(({ length }) => length > 1);
  return [...head, rule, ...body.flatMap((row, index) => (isTall && index > 0 ? [rule, ...row] : row))];
}

function listRows({ header, rows }: Tokens.Table, width: number, inline: Inline): Row[] {
  return rows.flatMap((cells) =>
    cells.flatMap((cell, index) => {
      const name = header[index]?.text ?? "";
      return wrap([span(name === "" ? "" : `${name}: `, "heading"), ...inline(cell.tokens)], width, {
        first: [span(index === 0 ? "• " : "  ", "accent")],
      });
    }),
  );
}
