import type { Json } from "../json.ts";

/**
 * What every format of settings can do with a text: take a change and give back the new text with all comments and spaces, or say why it
 * can't. A text that isn't well formed is never changed. The format of plain text, for rules and skills, has whole files and marked
 * blocks.
 */

/** Why a file is not valid in its format. */
export class Malformed extends Error {
  readonly line: number;
  readonly column: number;

  /** Line and column count from 1. */
  constructor(what: string, line: number, column: number) {
    super(what);
    this.line = line;
    this.column = column;
  }
}

/** A setting conflicts with what should be written; the message completes "… in FILE". */
export class Obstacle extends Error {}

/** The text as a library writes it. What it can't write is left alone. */
export function orLeft(write: () => string): string {
  try {
    return write();
  } catch {
    throw new Obstacle("its settings are written in a way that can't be changed here");
  }
}

/** How to edit one kind of file. Texts have no byte order mark and keep the file's line ends. */
export interface Format {
  /** What such a file is called in a sentence. */
  name: string;
  /** Its contents. Throws `Malformed`. */
  parse(text: string): unknown;
  /**
   * Makes the change; `applied` is absent if there was nothing to do. Everything else is preserved byte for byte. Throws `Malformed` and
   * `Obstacle`.
   */
  apply(text: string, change: Change): { text: string; applied?: Applied };
  /** Undoes a change as far as it is still present. */
  undo(text: string, applied: Applied): string;
  /** Whether the rest of the text is empty or without effect. */
  isEmpty(text: string): boolean;
}

/** The file's line end; a line feed for a new file. */
export const lineEnd = (text: string): "\r\n" | "\n" => (/\r(\n|$)/.test(text) ? "\r\n" : "\n");

/** One thing that askbox adds to a file. */
export type Change =
  /** A setting; null removes it. `ours`: only askbox uses the name, so it is removed even if a person has changed it. */
  | { kind: "set"; at: readonly string[]; to: Json; ours?: boolean }
  /** An item of a list. */
  | { kind: "include"; at: readonly string[]; item: Json }
  /** Lines between two marks, in a text that others edit too. */
  | { kind: "block"; text: string }
  /** A line of a list of lines. */
  | { kind: "line"; text: string }
  /** The whole file. */
  | { kind: "whole"; text: string };

/** A change that was made, with what is needed to undo it. */
export interface Applied {
  change: Change;
  /** The previous value; absent if there was none. */
  before?: Json;
  /** The enclosing settings that were created for it, outermost first. */
  made?: string[][];
}

/** Whether two changes concern the same place, so that the later replaces the earlier. */
export function isSamePlace(one: Change, other: Change): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === "set" && other.kind === "set") return samePath(one.at, other.at);
  if (one.kind === "include" && other.kind === "include") {
    return samePath(one.at, other.at) && JSON.stringify(one.item) === JSON.stringify(other.item);
  }
  if (one.kind === "line" && other.kind === "line") return one.text === other.text;
  return true;
}

const samePath = (one: readonly string[], other: readonly string[]) => one.join("\0") === other.join("\0");

const begin = "<!-- askbox: begin -->";
const end = "<!-- askbox: end -->";

/** Texts that people edit too: a block between two marks, a line of a list, or a file of askbox's own. */
export const text: Format = {
  name: "text",
  parse: (held) => held,
  apply(held, change) {
    const changed = put(held, change);
    if (changed === held) return { text: held };
    return { text: changed, applied: { change, ...(change.kind === "whole" && held !== "" ? { before: held } : {}) } };
  },
  undo(held, { change, before }) {
    if (change.kind === "block") return withoutBlock(held);
    if (change.kind === "line") return withoutLine(held, change.text);
    if (change.kind !== "whole" || held.replaceAll("\r\n", "\n") !== change.text) return held;
    return typeof before === "string" ? before : "";
  },
  isEmpty: (held) => held.trim() === "",
};

function put(held: string, change: Change): string {
  const newline = lineEnd(held);
  switch (change.kind) {
    case "whole":
      return held.replaceAll("\r\n", "\n") === change.text ? held : change.text;
    case "line": {
      if (held.split(/\r?\n/).includes(change.text)) return held;
      return held + (held === "" || held.endsWith("\n") ? "" : newline) + change.text + newline;
    }
    case "block": {
      const block = [begin, change.text.trim(), end].join("\n").replaceAll("\n", newline);
      const place = blockIn(held);
      if (place !== undefined) return held.slice(0, place.from) + block + held.slice(place.to);
      if (held.trim() === "") return held + block + newline;
      return `${held}${held.endsWith("\n") ? "" : newline}${newline}${block}${newline}`;
    }
    default:
      throw new Obstacle(`it cannot contain a ${change.kind}`);
  }
}

function blockIn(held: string): { from: number; to: number } | undefined {
  const from = held.indexOf(begin);
  const to = held.indexOf(end);
  if (from < 0 && to < 0) return undefined;
  if (from < 0 || to < from || held.indexOf(begin, from + 1) >= 0 || held.indexOf(end, to + 1) >= 0) {
    throw new Obstacle(`the marks ${begin} and ${end} must appear once each and in this order`);
  }
  return { from, to: to + end.length };
}

/** Includes the preceding blank line and its own line end, which were added with it. */
function withoutBlock(held: string): string {
  const place = blockIn(held);
  if (place === undefined) return held;
  const after = held.slice(place.to).replace(/^\r?\n/, "");
  const before = held.slice(0, place.from).replace(/(\r?\n)\r?\n$/, "$1");
  return before + after;
}

function withoutLine(held: string, line: string): string {
  const lines = held.split(/(?<=\n)/);
  const index = lines.findLastIndex((one) => one.replace(/\r?\n$/, "") === line);
  return index < 0 ? held : lines.toSpliced(index, 1).join("");
}
