import { AskboxError } from "@askbox/core";

/** How much may be stored, in bytes. */
export interface FileLimits {
  /** One file. Default 20 MB. */
  file?: number | undefined;
  /** The files of one session. Default 50 MB. */
  session?: number | undefined;
  /** All files. Default 2 GB. */
  total?: number | undefined;
}

export const defaultFileLimits = Object.freeze({ file: 20_000_000, session: 50_000_000, total: 2_000_000_000 });

/** `3 bytes`, `12 KB`, `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  const [amount, unit] = bytes < 999_500_000 ? [bytes / 1_000_000, "MB"] : [bytes / 1_000_000_000, "GB"];
  return `${Number(amount.toFixed(1))} ${unit}`;
}

/** Pixels of a picture that is decoded; a larger one is refused by what its header says. */
export const maxPixels = 100_000_000;

export const fileTooLarge = (bytes: number, most: number): AskboxError =>
  tooLarge(`The file has ${sizeText(bytes)}; one may have at most ${sizeText(most)}.`);

export const sessionFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `These questions have files of ${sizeText(stored)}; with ${sizeText(bytes)} more it would be over the limit of ${sizeText(most)}.`,
  );

export const storeFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `The hub stores files of ${sizeText(stored)}; with ${sizeText(bytes)} more it would be over its limit of ${sizeText(most)}, limits.allFileBytes.`,
  );

export const uploadsFull = (bytes: number, stored: number, most: number): AskboxError =>
  tooLarge(
    `Your uploads that no question shows yet have ${sizeText(stored)}; with ${sizeText(bytes)} more they would be over the limit of ${sizeText(most)}. Ask with them, or wait ten minutes.`,
  );

export const picturesFull = (bytes: number, most: number): AskboxError =>
  tooLarge(`The pictures of these questions have ${sizeText(bytes)} together; at most ${sizeText(most)} are possible.`);

const tooLarge = (sentence: string) => new AskboxError("PAYLOAD_TOO_LARGE", sentence);
