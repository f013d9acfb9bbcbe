import type { Readable, Writable } from "node:stream";

/**
 * Passes bytes from one process to another, a line at a time, without changing them. The reader of a line forwards it; a line longer than any
 * message is forwarded in pieces and never read. If the receiving process stops reading, the sending one is paused: nothing piles up here.
 */

/** Bytes. The longest line that is read as a message: pictures are sent in one. */
export const maxLine = 64 * 1_024 * 1_024;
const newline = 10;

export interface LineReader {
  /** A line with its newline. */
  line(bytes: Buffer): void;
  /** A part of a line that can't be read; `isEnd` if it is the last one. */
  piece(bytes: Buffer, isEnd: boolean): void;
}

/** Takes chunks apart into lines. */
export class Lines {
  readonly #reader: LineReader;
  readonly #longest: number;
  #pieces: Buffer[] = [];
  #size = 0;
  #isTooLong = false;

  constructor(reader: LineReader, longest: number = maxLine) {
    this.#reader = reader;
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end + 1), true);
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start), false);
  }

  /** Passes on the rest, which has no newline. */
  end(): void {
    if (this.#size > 0) this.#reader.piece(this.#take(), true);
  }

  #add(bytes: Buffer, isEnd: boolean): void {
    if (this.#isTooLong) {
      this.#isTooLong = !isEnd;
      return this.#reader.piece(bytes, isEnd);
    }
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    if (this.#size > this.#longest) {
      this.#isTooLong = !isEnd;
      for (const piece of this.#pieces.splice(0, this.#pieces.length - 1)) this.#reader.piece(piece, false);
      this.#reader.piece(this.#take(), isEnd);
    } else if (isEnd) this.#reader.line(this.#take());
  }

  #take(): Buffer {
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    return bytes;
  }
}

/** Writes lines. A message of our own is never written into the middle of one. */
export class LineWriter {
  readonly #write: (bytes: Buffer | string) => void;
  #isInside = false;
  #waiting: string[] = [];

  constructor(write: (bytes: Buffer | string) => void) {
    this.#write = write;
  }

  line(bytes: Buffer): void {
    this.#write(bytes);
  }

  piece(bytes: Buffer, isEnd: boolean): void {
    this.#write(bytes);
    this.#isInside = !isEnd;
    if (isEnd) for (const own of this.#waiting.splice(0)) this.#write(own);
  }

  own(message: object): void {
    const line = `${JSON.stringify(message)}\n`;
    if (this.#isInside) this.#waiting.push(line);
    else this.#write(line);
  }
}

/** Reads one stream by lines, no faster than the other takes what is written there. Resolves when it has ended. */
export function pump(from: Readable, lines: Lines, to: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const goOn = () => from.resume();
  from.on("data", (chunk: Buffer) => {
    to.cork();
    lines.push(chunk);
    to.uncork();
    if (!to.writableNeedDrain) return;
    from.pause();
    to.once("drain", goOn);
  });
  const end = () => {
    lines.end();
    resolve();
  };
  from.once("end", end).once("error", end).once("close", end);
  // Bytes for a process that has gone are lost, and its exit tells.
  to.once("error", goOn).once("close", goOn);
  return promise;
}
