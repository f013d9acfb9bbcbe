import type { AuditEntry } from "../ports/audit.ts";
import type { Digest } from "../ports/digest.ts";
import { noHash, readEntry } from "./entry.ts";

/** Checks the lines of a record one by one, in order, without keeping them. */
export class ChainCheck {
  readonly #digest: Digest;
  #lines = 0;
  #first: Omit<AuditEntry, "line"> | undefined;
  #last: Omit<AuditEntry, "line"> | undefined;

  constructor(digest: Digest) {
    this.#digest = digest;
  }

  /** The first entry. If its number isn't 1, earlier entries were not part of the check. */
  get first(): Omit<AuditEntry, "line"> | undefined {
    return this.#first;
  }

  get last(): Omit<AuditEntry, "line"> | undefined {
    return this.#last;
  }

  /** What is wrong with the next line, in one sentence; undefined if it continues the chain. After a problem, no further line can be checked. */
  async add(line: string): Promise<string | undefined> {
    this.#lines += 1;
    const place = `Line ${this.#lines}`;
    const entry = await readEntry(line, this.#digest);
    if (entry === undefined) return `${place} isn't an entry of the record.`;
    const { number, previous, isIntact } = entry;
    if (!isIntact) return `${place}, entry ${number}, was changed: its hash doesn't match it.`;
    const last = this.#last;
    if (last !== undefined && number > last.number + 1) {
      const missing = number - last.number - 1;
      return `Before line ${this.#lines}, ${missing === 1 ? "an entry is" : `${missing} entries are`} missing: entry ${number} comes after entry ${last.number}.`;
    }
    if (last !== undefined && number !== last.number + 1)
      return `${place} is out of order: entry ${number} comes after entry ${last.number}.`;
    const expected = last?.hash ?? (number === 1 ? noHash : previous);
    if (previous !== expected) return `${place}, entry ${number}, doesn't continue the chain: it or the entry before it was replaced.`;
    this.#first ??= entry;
    this.#last = entry;
    return undefined;
  }
}
