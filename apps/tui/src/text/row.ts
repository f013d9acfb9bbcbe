import { breakLine, type Cell, cellsOf, terminalLine, terminalText, textWidth, truncateLine } from "@askbox/terminal-text";
import type { Token } from "../theme/theme.ts";

/** A piece of text and what it is. */
export interface Span {
  readonly text: string;
  readonly token?: Token;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
  readonly strike?: boolean;
  /** Foreground and background swapped. */
  readonly reverse?: boolean;
}

declare const cleaned: unique symbol;

/**
 * One row of the screen. Only the functions in this file make rows, and they sanitise their text. The painter accepts nothing else,
 * so this is the boundary that all outside text passes on its way to the terminal.
 */
export type Row = readonly Span[] & { readonly [cleaned]: true };

const rowOf = (spans: readonly Span[]): Row => spans as Row;

export const emptyRow: Row = rowOf([]);

export function span(text: string, token?: Token, more: Omit<Span, "text" | "token"> = {}): Span {
  return token === undefined ? { text, ...more } : { text, token, ...more };
}

/** A single row, cut to `width` columns with an ellipsis. Line breaks become spaces. */
export function line(spans: readonly Span[], width: number): Row {
  const row: Span[] = [];
  let left = width;
  for (const part of spans) {
    if (left <= 0) break;
    const text = truncateLine(cleanInline(part.text), left);
    left -= textWidth(text);
    if (text !== "") row.push({ ...part, text });
  }
  return rowOf(row);
}

/** A row with a left and a right part; the left part is cut if there is not enough room. */
export function splitLine(left: readonly Span[], right: readonly Span[], width: number): Row {
  const end = line(right, width);
  const room = width - rowWidth(end);
  const start = line(left, end.length === 0 ? room : Math.max(0, room - 1));
  const gap = " ".repeat(Math.max(0, room - rowWidth(start)));
  return rowOf([...start, { text: gap }, ...end]);
}

/** Rows of panes side by side, separated by a line; each fits its width, and all but the last are padded to it. */
export function beside(panes: readonly { row: Row; width: number }[]): Row {
  return rowOf(
    panes.flatMap(({ row, width }, index) =>
      index === panes.length - 1 ? row : [...row, { text: " ".repeat(Math.max(0, width - rowWidth(row))) }, paneLine],
    ),
  );
}

const paneLine = span(" │ ", "border");
/** The columns between two panes. */
export const paneGap = 3;

/** Aligns the row right or centre in `width` columns; left leaves it as it is. */
export function aligned(row: Row, width: number, at: "left" | "center" | "right"): Row {
  const space = Math.max(0, width - rowWidth(row));
  const before = at === "left" ? 0 : at === "right" ? space : Math.floor(space / 2);
  return before === 0 ? row : rowOf([{ text: " ".repeat(before) }, ...row]);
}

export function rowWidth(row: Row): number {
  return row.reduce((sum, { text }) => sum + textWidth(text), 0);
}

export interface WrapOptions {
  /** Before the first row. */
  first?: readonly Span[];
  /** Before the rows that follow; default: as many spaces as `first` is wide. */
  rest?: readonly Span[];
}

/** Wraps spans into rows of at most `width` columns; line breaks are kept. */
export function wrap(spans: readonly Span[], width: number, { first = [], rest }: WrapOptions = {}): Row[] {
  const lead = line(first, width);
  const follow = line(rest ?? [{ text: " ".repeat(rowWidth(lead)) }], width);
  const room = Math.max(2, width - rowWidth(lead));
  const rows: Row[] = [];
  for (const cells of linesOf(spans)) {
    const starts = breakLine(cells, room);
    for (const [index, start] of starts.entries()) {
      const taken = cells.slice(start, starts[index + 1]);
      // Trailing spaces of a row may exceed its width.
      const part = joined(taken, starts.length > 1 || taken.reduce((sum, cell) => sum + cell.width, 0) > room);
      rows.push(rowOf([...(rows.length === 0 ? lead : follow), ...part]));
    }
  }
  return rows;
}

/** A row of cells from `safeCells`, with nothing dropped: for the editor. */
export function rowOfCells(cells: readonly Cell[], token?: Token): Row {
  return rowOf([span(cells.map(({ text }) => text).join(""), token)]);
}

/** The cells of a line as shown, one for each grapheme cluster of the original. */
export function safeCells(text: string): { source: string; cell: Cell }[] {
  return cellsOf(text).map(({ text: source, width }) => {
    if (width === 1 && source.length === 1 && source >= " " && source <= "~") return { source, cell: { text: source, width } };
    const shown = terminalText(source).replaceAll("\n", "␊");
    return { source, cell: { text: shown, width: textWidth(shown) } };
  });
}

/** Prefixes rows with a mark, such as a quotation bar. */
export function prefixed(rows: readonly Row[], prefix: Span): Row[] {
  const [mark] = line([prefix], 1_000);
  return mark === undefined ? [...rows] : rows.map((row) => rowOf([mark, ...row]));
}

/** Sanitises a line but keeps leading and trailing spaces, which belong to our own layout. */
function cleanInline(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  // linear: a run is tried from its first character only.
  const middle = text.replace(/^ +|(?<! ) +$/g, "");
  // linear: a run is tried from its first character only.
  const [before = "", after = ""] = [/^ */, /(?<! ) +$/].map((ends) => ends.exec(text)?.[0]);
  return middle === "" ? text : `${before}${terminalLine(middle)}${after}`;
}

type StyledCell = Cell & { span: Span };

function linesOf(spans: readonly Span[]): StyledCell[][] {
  const lines: StyledCell[][] = [[]];
  for (const part of spans) {
    for (const [index, text] of terminalText(part.text).split("\n").entries()) {
      if (index > 0) lines.push([]);
      for (const cell of cellsOf(text)) lines.at(-1)?.push({ ...cell, span: part });
    }
  }
  return lines;
}

function joined(cells: readonly StyledCell[], withoutEnd: boolean): Span[] {
  const spans: { text: string; span: Span }[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last?.span === cell.span) last.text += cell.text;
    else spans.push({ text: cell.text, span: cell.span });
  }
  for (let last = spans.at(-1); withoutEnd && last !== undefined; last = spans.at(-1)) {
    last.text = last.text.trimEnd();
    if (last.text !== "") break;
    spans.pop();
  }
  return spans.map(({ text, span: style }) => ({ ...style, text }));
}
