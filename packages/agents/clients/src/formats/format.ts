import type { Applied, Change } from "./change.ts";

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
