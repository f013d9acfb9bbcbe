/** The text field of the terminal: keys that change a buffer, and the buffer laid out in rows with its cursor. */
import { breakLine, type Cell } from "@askbox/terminal-text";
import { line, type Row, rowOfCells, safeCells, span } from "../text/row.ts";
import {
  backspace,
  deleteNext,
  deleteToLineEnd,
  deleteToLineStart,
  deleteWordLeft,
  deleteWordRight,
  insert,
  left,
  lineEnd,
  lineStart,
  moveTo,
  right,
  type TextBuffer,
  textEnd,
  textStart,
  undo,
  wordLeft,
  wordRight,
} from "./text-buffer.ts";

/** A key by its keymap name (`up`, `shift+tab`, `ctrl+g`, `alt+m`, `?`), and the text it types, if any. */
export interface KeyPress {
  readonly name: string;
  readonly text?: string;
}

/** The shortcuts of readline and of graphical editors. */
const edits: Readonly<Record<string, (buffer: TextBuffer) => TextBuffer>> = {
  left,
  right,
  "ctrl+left": wordLeft,
  "alt+left": wordLeft,
  "alt+b": wordLeft,
  "ctrl+right": wordRight,
  "alt+right": wordRight,
  "alt+f": wordRight,
  home: lineStart,
  "ctrl+a": lineStart,
  end: lineEnd,
  "ctrl+e": lineEnd,
  "ctrl+home": textStart,
  "alt+<": textStart,
  "ctrl+end": textEnd,
  "alt+>": textEnd,
  backspace,
  "ctrl+h": backspace,
  "shift+backspace": backspace,
  delete: deleteNext,
  "ctrl+d": deleteNext,
  "ctrl+w": deleteWordLeft,
  "alt+backspace": deleteWordLeft,
  "ctrl+backspace": deleteWordLeft,
  "alt+d": deleteWordRight,
  "ctrl+delete": deleteWordRight,
  "ctrl+u": deleteToLineStart,
  "ctrl+k": deleteToLineEnd,
  "ctrl+_": undo,
  "alt+z": undo,
};

/** Whether a key edits text, and so means nothing else while text is typed. */
export const isEditorKey = (name: string): boolean => Object.hasOwn(edits, name);

/** The buffer after the key; undefined if the key is not an editor shortcut. */
export function editedBy(key: KeyPress, buffer: TextBuffer, width: number): TextBuffer | undefined {
  if (key.text !== undefined) return insert(buffer, key.text);
  if (key.name === "up" || key.name === "down") return moveByRow(buffer, width, key.name === "up" ? -1 : 1);
  return edits[key.name]?.(buffer);
}

/** A buffer as rows of the screen, with the position of its cursor. */
export interface EditorRows {
  rows: Row[];
  cursor: { row: number; column: number };
}

interface VisualRow {
  cells: readonly Cell[];
  /** The text offset at which each cell begins, and the offset after the last one. */
  offsets: readonly number[];
}

/** Lays out a buffer in `width` columns; an empty one shows `placeholder`. */
export function editorRows(buffer: TextBuffer, width: number, placeholder = ""): EditorRows {
  if (buffer.text === "") return { rows: [line([span(placeholder, "dim")], width)], cursor: { row: 0, column: 0 } };
  const rows = visualRows(buffer.text, width);
  const at = rowOfCursor(rows, buffer.cursor);
  return {
    rows: rows.map(({ cells }) => rowOfCells(cells)),
    cursor: { row: at, column: Math.min(width - 1, columnOf(rows[at], buffer.cursor)) },
  };
}

/** Moves one row up or down; undefined at the first and last row. */
function moveByRow(buffer: TextBuffer, width: number, by: -1 | 1): TextBuffer | undefined {
  const rows = visualRows(buffer.text, width);
  const at = rowOfCursor(rows, buffer.cursor);
  const target = rows[at + by];
  if (target === undefined) return undefined;
  const column = buffer.column ?? columnOf(rows[at], buffer.cursor);
  let passed = 0;
  let index = 0;
  while (index < target.cells.length && passed + (target.cells[index]?.width ?? 0) <= column) {
    passed += target.cells[index]?.width ?? 0;
    index += 1;
  }
  const next = rows[at + by + 1];
  const end = target.offsets[index] ?? 0;
  // The end of a wrapped row is the beginning of the next.
  const cursor = next !== undefined && next.offsets[0] === end ? (target.offsets[Math.max(0, index - 1)] ?? end) : end;
  return moveTo(buffer, cursor, column);
}

function visualRows(text: string, width: number): VisualRow[] {
  const rows: VisualRow[] = [];
  let offset = 0;
  for (const paragraph of text.split("\n")) {
    rows.push(...paragraphRows(paragraph, width, offset));
    offset += paragraph.length + 1;
  }
  return rows;
}

const laidOut = new Map<string, VisualRow[]>();
const keptParagraphs = 2_000;

/** Caches the rows of each paragraph with offsets from its start, since a key changes only one paragraph. */
function paragraphRows(paragraph: string, width: number, offset: number): VisualRow[] {
  const key = `${width} ${paragraph}`;
  let rows = laidOut.get(key);
  if (rows === undefined) {
    rows = layOut(paragraph, width);
    if (laidOut.size >= keptParagraphs) laidOut.clear();
    laidOut.set(key, rows);
  }
  return rows.map(({ cells, offsets }) => ({ cells, offsets: offset === 0 ? offsets : offsets.map((at) => at + offset) }));
}

function layOut(paragraph: string, width: number): VisualRow[] {
  const parts = safeCells(paragraph);
  const cells = parts.map(({ cell }) => cell);
  let at = 0;
  const offsets = [0, ...parts.map(({ source }) => (at += source.length))];
  const starts = breakLine(cells, width);
  return starts.map((start, index) => {
    const end = starts[index + 1] ?? cells.length;
    return { cells: cells.slice(start, end), offsets: offsets.slice(start, end + 1) };
  });
}

function rowOfCursor(rows: readonly VisualRow[], cursor: number): number {
  const after = rows.findIndex(({ offsets }) => (offsets[0] ?? 0) > cursor);
  return (after < 0 ? rows.length : after) - 1;
}

function columnOf(row: VisualRow | undefined, cursor: number): number {
  if (row === undefined) return 0;
  return row.cells.reduce((sum, { width }, index) => ((row.offsets[index] ?? 0) < cursor ? sum + width : sum), 0);
}
