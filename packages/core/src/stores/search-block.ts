/**
 * The index of a text search, in blocks that are built once and never change. A block says which of up to 1,024 texts contain three given
 * characters in a row. A word can only be in a text that contains all of the word's threes, so a search looks these up and compares the few
 * candidates as it would compare every text. What a block says of a text that has changed since, or is gone, costs a comparison and no more.
 *
 * A block's threes are divided into 256 parts by their hash, so that a search reads a kilobyte or two of each block. Blocks are stored: what
 * is in one, and how threes are hashed, must not change without a new name for them in the stores.
 */

/** How many texts a block holds. */
export const blockSize = 1_024;

/** How many parts a block has. */
const partCount = 256;

/** A text with more different threes than this is a candidate of every search, so that no text makes a block large. */
const mostGrams = 4_096;

/** A search looks up at most this many threes: more would hardly leave fewer candidates. */
const mostLookedUp = 8;

/** Longer texts than this, in characters, are a candidate of every search. */
const longestText = 65_536;

/** The hash of the three characters from `at` on, as 32 bits. */
function gramAt(text: string, at: number): number {
  let hash = Math.imul(text.charCodeAt(at), 0x9e3779b1) + text.charCodeAt(at + 1);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) + text.charCodeAt(at + 2);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * What to look up for these words; undefined if no word has three characters, and the index can't help. Spread over all words, and over
 * each word.
 */
export function searchGrams(words: readonly string[]): number[] | undefined {
  const long = words.filter((word) => word.length >= 3).sort((left, right) => right.length - left.length);
  const each = Math.max(1, Math.floor(mostLookedUp / Math.max(1, long.length)));
  const grams = new Set<number>();
  for (const word of long) {
    const last = word.length - 3;
    const count = Math.min(each, last + 1);
    for (let nth = 0; nth < count && grams.size < mostLookedUp; nth += 1) {
      grams.add(gramAt(word, Math.floor((nth * last) / Math.max(1, count - 1))));
    }
  }
  return grams.size === 0 ? undefined : [...grams];
}

/** The part of a block in which a three is. */
export const partOf = (gram: number): number => gram % partCount;

/** Collects the texts of one block. Adding a text and encoding a part take well below a millisecond, so that other work can run in between. */
export class SearchBlockBuilder {
  /** For each part, the three's other bits and the text's number, as one number. */
  readonly #parts: number[][] = Array.from({ length: partCount }, () => []);
  readonly #always: number[] = [];
  #count = 0;

  /** The numbers of the texts that are candidates of every search. Texts are numbered from 0 as they are added. */
  get always(): readonly number[] {
    return this.#always;
  }

  /** Undefined for a text that can't be read now. */
  add(text: string | undefined): void {
    const number = this.#count;
    this.#count += 1;
    const grams = new Set<number>();
    const isRead = text !== undefined && text.length <= longestText;
    for (let at = 0; isRead && at + 2 < text.length && grams.size <= mostGrams; at += 1) grams.add(gramAt(text, at));
    if (!isRead || grams.size > mostGrams) {
      this.#always.push(number);
      return;
    }
    for (const gram of grams) this.#parts[partOf(gram)]?.push(Math.floor(gram / partCount) * blockSize + number);
  }

  /** The parts that aren't empty, in order; each is encoded as it is read. */
  *parts(): Generator<{ part: number; bytes: Uint8Array }> {
    for (const [part, entries] of this.#parts.entries()) if (entries.length > 0) yield { part, bytes: encode(entries) };
  }
}

/** For each three, in order: 3 bytes of its hash, the length of what follows, and the numbers of its texts as differences. */
function encode(entries: readonly number[]): Uint8Array {
  const sorted = Float64Array.from(entries).sort();
  const bytes: number[] = [];
  for (let at = 0; at < sorted.length; ) {
    const gram = Math.floor((sorted[at] ?? 0) / blockSize);
    const numbers: number[] = [];
    let former = 0;
    for (; at < sorted.length && Math.floor((sorted[at] ?? 0) / blockSize) === gram; at += 1) {
      const number = (sorted[at] ?? 0) % blockSize;
      pushNumber(numbers, number - former);
      former = number;
    }
    bytes.push(gram >>> 16, (gram >>> 8) & 0xff, gram & 0xff);
    pushNumber(bytes, numbers.length);
    for (const byte of numbers) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** As bytes of 7 bits each, the lowest first; all but the last have the highest bit set. */
function pushNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

/** The numbers of a block's texts that contain all threes, without those that are always candidates. `parts` gives a part, if there is one. */
export function numbersIn(grams: readonly number[], parts: (part: number) => Uint8Array | undefined): number[] {
  /** How many of the threes, from the first on, a text has. */
  const had = new Uint8Array(blockSize);
  let found: number[] = [];
  for (const [index, gram] of grams.entries()) {
    const bytes = parts(partOf(gram));
    found = [];
    if (bytes !== undefined) eachNumber(gram, bytes, had, index, found);
    if (found.length === 0) return found;
  }
  return found;
}

/** Adds to `found` which of the texts that had the first `index` threes have this one. */
function eachNumber(gram: number, bytes: Uint8Array, had: Uint8Array, index: number, found: number[]): void {
  const wanted = Math.floor(gram / partCount);
  let at = 0;
  const next = () => {
    let number = bytes[at] ?? 0;
    at += 1;
    if (number < 0x80) return number;
    number &= 0x7f;
    for (let shift = 7; ; shift += 7) {
      const byte = bytes[at] ?? 0;
      at += 1;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  };
  while (at < bytes.length) {
    const present = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    at += 3;
    const length = next();
    const end = at + length;
    if (present > wanted) return;
    if (present < wanted) {
      at = end;
      continue;
    }
    for (let number = 0; at < end; ) {
      number += next();
      if (had[number] !== index) continue;
      had[number] = index + 1;
      found.push(number);
    }
    return;
  }
}
