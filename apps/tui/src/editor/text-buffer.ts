/** A text with a cursor. Immutable: each edit returns a new one. Offsets are UTF-16 and always between grapheme clusters. */
export interface TextBuffer {
  readonly text: string;
  readonly cursor: number;
  /** The column that moving up and down tries to keep. */
  readonly column?: number | undefined;
  /** States for `undo`, the latest first. */
  readonly past: readonly { text: string; cursor: number; kind: "typed" | "other" }[];
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const words = new Intl.Segmenter(undefined, { granularity: "word" });
const keptUndos = 200;

export function bufferOf(text: string, cursor = text.length): TextBuffer {
  return { text, cursor: Math.min(text.length, Math.max(0, cursor)), past: [] };
}

/** Types or pastes. Line breaks of every platform become `\n`; control characters are dropped. */
export function insert(buffer: TextBuffer, inserted: string, kind: "typed" | "other" = "typed"): TextBuffer {
  const text = inserted.replace(/\r\n?/g, "\n").replace(/(?![\n\t])\p{Cc}/gu, "");
  if (text === "") return buffer;
  return replace(buffer, buffer.cursor, buffer.cursor, text, text.includes("\n") ? "other" : kind);
}

export function replaceAll(buffer: TextBuffer, text: string): TextBuffer {
  return text === buffer.text ? buffer : replace(buffer, 0, buffer.text.length, text.replace(/\r\n?/g, "\n"), "other");
}

export const left = (buffer: TextBuffer): TextBuffer => moveTo(buffer, previousBoundary(buffer.text, buffer.cursor));
export const right = (buffer: TextBuffer): TextBuffer => moveTo(buffer, nextBoundary(buffer.text, buffer.cursor));
export const wordLeft = (buffer: TextBuffer): TextBuffer => moveTo(buffer, wordStart(buffer.text, buffer.cursor));
export const wordRight = (buffer: TextBuffer): TextBuffer => moveTo(buffer, wordEnd(buffer.text, buffer.cursor));
export const lineStart = (buffer: TextBuffer): TextBuffer => moveTo(buffer, startOfLine(buffer.text, buffer.cursor));
export const lineEnd = (buffer: TextBuffer): TextBuffer => moveTo(buffer, endOfLine(buffer.text, buffer.cursor));
export const textStart = (buffer: TextBuffer): TextBuffer => moveTo(buffer, 0);
export const textEnd = (buffer: TextBuffer): TextBuffer => moveTo(buffer, buffer.text.length);

export const backspace = (buffer: TextBuffer): TextBuffer => cut(buffer, previousBoundary(buffer.text, buffer.cursor), buffer.cursor);
export const deleteNext = (buffer: TextBuffer): TextBuffer => cut(buffer, buffer.cursor, nextBoundary(buffer.text, buffer.cursor));
export const deleteWordLeft = (buffer: TextBuffer): TextBuffer => cut(buffer, wordStart(buffer.text, buffer.cursor), buffer.cursor);
export const deleteWordRight = (buffer: TextBuffer): TextBuffer => cut(buffer, buffer.cursor, wordEnd(buffer.text, buffer.cursor));
export const deleteToLineStart = (buffer: TextBuffer): TextBuffer => cut(buffer, startOfLine(buffer.text, buffer.cursor), buffer.cursor);

/** Deletes to the end of the line; at its end, deletes the line break. */
export function deleteToLineEnd(buffer: TextBuffer): TextBuffer {
  const end = endOfLine(buffer.text, buffer.cursor);
  return cut(buffer, buffer.cursor, end === buffer.cursor ? nextBoundary(buffer.text, end) : end);
}

export function undo(buffer: TextBuffer): TextBuffer {
  const [last, ...past] = buffer.past;
  return last === undefined ? buffer : { text: last.text, cursor: last.cursor, past };
}

/** Moves the cursor; `column` is kept by moves up and down. */
export function moveTo(buffer: TextBuffer, cursor: number, column?: number): TextBuffer {
  return { ...buffer, cursor: Math.min(buffer.text.length, Math.max(0, cursor)), column };
}

function cut(buffer: TextBuffer, from: number, to: number): TextBuffer {
  return from === to ? buffer : replace(buffer, from, to, "", "other");
}

function replace(buffer: TextBuffer, from: number, to: number, text: string, kind: "typed" | "other"): TextBuffer {
  const { past, cursor } = buffer;
  // Consecutive typing is undone word by word.
  const goesOn = kind === "typed" && past[0]?.kind === "typed" && !/^\s/.test(text);
  const step = { text: buffer.text, cursor, kind };
  return {
    text: buffer.text.slice(0, from) + text + buffer.text.slice(to),
    cursor: from + text.length,
    past: goesOn ? past : [step, ...past.slice(0, keptUndos - 1)],
  };
}

const startOfLine = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

function previousBoundary(text: string, at: number): number {
  if (at <= 0) return 0;
  if (text[at - 1] === "\n") return at - 1;
  const start = startOfLine(text, at);
  let last = start;
  for (const { index } of segmenter.segment(text.slice(start, at))) last = start + index;
  return last;
}

function nextBoundary(text: string, at: number): number {
  if (at >= text.length) return text.length;
  if (text[at] === "\n") return at + 1;
  const [first] = segmenter.segment(text.slice(at, endOfLine(text, at)));
  return at + (first?.segment.length ?? 1);
}

function wordStart(text: string, at: number): number {
  const start = startOfLine(text, at);
  if (start === at) return Math.max(0, at - 1);
  let found = start;
  for (const { index, isWordLike } of words.segment(text.slice(start, at))) if (isWordLike) found = start + index;
  return found;
}

function wordEnd(text: string, at: number): number {
  const end = endOfLine(text, at);
  if (end === at) return Math.min(text.length, at + 1);
  for (const { index, segment, isWordLike } of words.segment(text.slice(at, end))) if (isWordLike) return at + index + segment.length;
  return end;
}
