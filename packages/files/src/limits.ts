import { totalmem } from "node:os";
import { AskboxError } from "@askbox/core";
import { bytesText } from "@askbox/core/questions";

/** How much may be stored, in bytes. */
export interface FileLimits {
  /** One file. Default 20 MB. */
  file?: number | undefined;
  /** The files of one session. Default 50 MB. */
  session?: number | undefined;
  /** All files. Default 2 GB. A tenth of it is for people: askers can't fill it. */
  total?: number | undefined;
  /** The uploads of one token and the pictures of its questions. Default half of `total`. */
  token?: number | undefined;
}

/** The share of all files that askers can't fill. */
export const peoplesShare = 0.1;

export const defaultFileLimits = Object.freeze({ file: 20_000_000, session: 50_000_000, total: 2_000_000_000 });

/** Pixels of a picture of a question, as its header says: browsers decode it. */
export const maxPixels = 100_000_000;

/**
 * Bytes that decoding a picture for an agent or a terminal may take: what a process of this size has beside its work, such as 350 MB of 768, and
 * at most 800 MB.
 */
export function decodingRoom(): number {
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  return Math.max(50_000_000, Math.min(800_000_000, 0.75 * (memory - 300_000_000)));
}

export const fileTooLarge = (bytes: number, most: number): AskboxError =>
  tooLarge(`The file has ${bytesText(bytes)}; one may have at most ${bytesText(most)}.`);

export const sessionFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `These questions have files of ${bytesText(stored)}; with ${bytesText(bytes)} more it would be over the limit of ${bytesText(most)}.`,
  );

export const storeFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `The hub stores files of ${bytesText(stored)}; with ${bytesText(bytes)} more it would be over its limit of ${bytesText(most)}, limits.allFileBytes.`,
  );

export const askersFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `All questions and uploads have files of ${bytesText(stored)}; with ${bytesText(bytes)} more they would be over ${bytesText(most)}, and the rest of limits.allFileBytes is for people's answers.`,
  );

export const tokenFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `The questions and uploads of your token have files of ${bytesText(stored)}; with ${bytesText(bytes)} more they would be over its limit of ${bytesText(most)}, limits.fileBytesPerToken. Files are removed with their questions.`,
  );

export const uploadsFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `Your uploads that no question shows yet have ${bytesText(stored)}; with ${bytesText(bytes)} more they would be over the limit of ${bytesText(most)}. Ask with them, or wait ten minutes.`,
  );

export const picturesFull = (bytes: number, most: number): AskboxError =>
  tooLarge(`The pictures of these questions have ${bytesText(bytes)} together; at most ${bytesText(most)} are possible.`);

const tooLarge = (sentence: string) => new AskboxError("PAYLOAD_TOO_LARGE", sentence);
