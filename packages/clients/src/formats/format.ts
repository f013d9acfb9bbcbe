import type { Applied, Change } from "./change.ts";

/** What is wrong with a file that cannot be read as what it should be. */
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

/** A setting stands in the way of what is to be written; the message completes "… in FILE". */
export class Obstacle extends Error {}

/** How one kind of file is changed. Texts have no byte order mark and whatever line ends the file has. */
export interface Format {
  /** What such a file is called in a sentence. */
  name: string;
  /** What it holds. Throws `Malformed`. */
  parse(text: string): unknown;
  /**
   * Makes the change; `applied` is absent when there was nothing to do. Everything else stays as it is, to the byte.
   * Throws `Malformed` and `Obstacle`.
   */
  apply(text: string, change: Change): { text: string; applied?: Applied };
  /** Takes a change back as far as it is still there. */
  undo(text: string, applied: Applied): string;
  /** Whether nothing is left in the text that anybody could miss. */
  isEmpty(text: string): boolean;
}

/** The file's own line end; that of a new file is a line feed. */
export const lineEnd = (text: string): "\r\n" | "\n" => (/\r(\n|$)/.test(text) ? "\r\n" : "\n");
