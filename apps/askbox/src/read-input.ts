import type { Readable } from "node:stream";
import { AskboxError } from "@askbox/core";

/** Bytes. */
const maxInput = 16_777_216;

export interface ReadOptions {
  /** The input is JSON, and ends with the object or array that it holds, whatever comes after it: whoever writes it may leave the pipe open. */
  json?: boolean | undefined;
  /** The input ends with this many lines that are not blank, for the same reason. */
  lines?: number | undefined;
  /** Milliseconds until it must be there; default any time. */
  within?: number | undefined;
}

/** Reads a stream as UTF-8, without a byte order mark. Throws `VALIDATION` for more than 16 MiB, and `TIMED_OUT`. */
export async function readInput(stream: Readable, { json = false, lines, within }: ReadOptions = {}): Promise<string> {
  if (stream.readableEnded || stream.destroyed) return "";
  const chunks: Buffer[] = [];
  const endIn = json ? endOfJson() : lines === undefined ? () => undefined : endOfLines(lines);
  const done = Promise.withResolvers<void>();
  let bytes = 0;
  const take = (piece: Buffer | string) => {
    const chunk = Buffer.from(piece);
    bytes += chunk.length;
    if (bytes > maxInput) return done.reject(new AskboxError("VALIDATION", "Standard input is larger than 16 MiB; send less."));
    const end = endIn(chunk);
    chunks.push(chunk.subarray(0, end));
    if (end === undefined) return;
    // More can come before whoever waits goes on.
    stream.off("data", take);
    done.resolve();
  };
  const late = () => done.reject(new AskboxError("TIMED_OUT", "Standard input did not end in time, and has no whole JSON."));
  const timer = within === undefined ? undefined : setTimeout(late, within);
  stream.on("data", take).on("end", done.resolve).on("close", done.resolve).on("error", done.reject);
  // An earlier read has paused it.
  stream.resume();
  try {
    await done.promise;
  } finally {
    clearTimeout(timer);
    stream.off("data", take).off("end", done.resolve).off("close", done.resolve).off("error", done.reject);
    // Not destroyed: what is written after it must not fail.
    stream.pause();
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

/** Takes the pieces of a text, and returns where in a piece it ends; undefined as long as more is to come. */
type EndIn = (piece: Uint8Array) => number | undefined;

function endOfLines(count: number): EndIn {
  let left = count;
  let isBlank = true;
  return (piece) => {
    for (const [index, byte] of piece.entries()) {
      if (byte > space) isBlank = false;
      if (byte !== newline) continue;
      if (!isBlank) left -= 1;
      if (left <= 0) return index + 1;
      isBlank = true;
    }
    return undefined;
  };
}

const [newline, space, quote, backslash] = [0x0a, 0x20, 0x22, 0x5c];
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

/** After the first object or array. */
function endOfJson(): EndIn {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  return (piece) => {
    for (const [index, byte] of piece.entries()) {
      if (isEscaped) isEscaped = false;
      else if (isText && byte === backslash) isEscaped = true;
      else if (byte === quote) isText = !isText;
      else if (!isText && opening.has(byte)) depth += 1;
      else if (!isText && closing.has(byte)) {
        depth -= 1;
        if (depth <= 0) return index + 1;
      }
    }
    return undefined;
  };
}
