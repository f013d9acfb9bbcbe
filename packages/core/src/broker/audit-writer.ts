import { type AuditEvent, sealEntry } from "../audit/entry.ts";
import { AskboxError, isAskboxError } from "../errors.ts";
import type { Digest } from "../ports/platform.ts";
import type { AuditEntry, SessionStore } from "../ports/store.ts";

/** Far more attempts than there can be hubs deciding at the same moment. */
const maxTries = 100;

/** Gives each decision its place in the record: one after the other in this process, by compare-and-set among several hubs. */
export class AuditWriter {
  readonly #store: SessionStore;
  readonly #digest: Digest;
  /** The newest entry after this process's last write; undefined if it must be read. */
  #known: { last: AuditEntry | undefined } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: SessionStore, digest: Digest) {
    this.#store = store;
    this.#digest = digest;
  }

  /** `write` stores the session and the entry together, and returns whether it did. It is called again if another hub was faster. */
  write(event: AuditEvent, write: (entry: AuditEntry) => Promise<boolean>): Promise<boolean> {
    const written = this.#turn.then(() => this.#inTurn(event, write));
    this.#turn = written.catch(() => {});
    return written;
  }

  async #inTurn(event: AuditEvent, write: (entry: AuditEntry) => Promise<boolean>): Promise<boolean> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { last } = this.#known ?? { last: await this.#store.audit.last() };
      const entry = await sealEntry(event, last, this.#digest);
      // After a failed write, the newest entry is read again.
      this.#known = undefined;
      try {
        const isWritten = await write(entry);
        this.#known = { last: isWritten ? entry : last };
        return isWritten;
      } catch (error) {
        if (!isAskboxError(error, "CONFLICT")) throw error;
      }
    }
    throw new AskboxError("CONFLICT", "Other hubs kept recording decisions at the same moment; try again.");
  }
}
