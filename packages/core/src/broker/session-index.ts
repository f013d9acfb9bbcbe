import type { SessionStore } from "../ports/store.ts";
import { isUndelivered, type SessionRecord } from "../session/record.ts";

/** The most sessions of a scope, and the most scopes, that are remembered. */
const most = { sessions: 100, scopes: 200 };

export interface SessionIndexOptions {
  store: Pick<SessionStore, "list">;
  /** Whether no other hub writes to the store. Otherwise nothing is known here, and the store is read each time. */
  isAlone: boolean;
}

/**
 * Which sessions an ask could continue or deliver, so that the store isn't read only to find that there are none. It may say yes where there
 * is none, but never no where there is one: it sees each change of the only hub before the change's promise resolves.
 */
export class SessionIndex {
  readonly #store: Pick<SessionStore, "list">;
  #isExact: boolean;
  /** The number of pending sessions by the first 16 bits of their digest: a table of fixed size, since there may be 100,000. */
  readonly #pending = new Uint16Array(65_536);
  /** The ids of a scope's sessions with something undelivered, once they have been read; undefined if there are too many. */
  readonly #undelivered = new Map<string, Set<string> | undefined>();
  #changes = 0;

  constructor({ store, isAlone }: SessionIndexOptions) {
    this.#store = store;
    this.#isExact = isAlone;
  }

  /** Some change came without its session: from now on, the store is read each time. */
  doubt(): void {
    this.#isExact = false;
  }

  /** Sessions were removed, which of a scope is not known. */
  removed(): void {
    this.#changes += 1;
    this.#undelivered.clear();
  }

  /** A session has changed. `wasPending` is what was known of it before. */
  changed(record: SessionRecord, wasPending: boolean): void {
    this.#changes += 1;
    const isPending = record.state === "pending";
    if (isPending !== wasPending) this.#count(bucketOf(record.digest), isPending ? 1 : -1);
    const ids = this.#undelivered.get(record.scope);
    if (!isUndelivered(record)) ids?.delete(record.id);
    else if (ids?.add(record.id).size === most.sessions) this.#undelivered.set(record.scope, undefined);
  }

  /** Whether a session with this digest may be pending. */
  mayBePending(digest: string): boolean {
    return !this.#isExact || this.#pending[bucketOf(digest)] !== 0;
  }

  /** Whether the scope may have a session with something undelivered, other than those that `isTaken`. */
  async mayBeUndelivered(owner: string, scope: string, isTaken: (id: string) => boolean): Promise<boolean> {
    if (!this.#isExact) return true;
    if (!this.#undelivered.has(scope)) await this.#load(owner, scope);
    const ids = this.#undelivered.get(scope);
    return ids === undefined || [...ids].some((id) => !isTaken(id));
  }

  /** Reads the ids of a scope; if something changes meanwhile, the next ask reads them. */
  async #load(owner: string, scope: string): Promise<void> {
    const before = this.#changes;
    const ids = new Set<string>();
    const skip = (id: string) => ids.add(id).size > 0;
    const page = await this.#store.list({ owner, scope, undelivered: true, limit: most.sessions, skip });
    for (const { id } of page.sessions) ids.add(id);
    if (this.#changes !== before) return;
    if (this.#undelivered.size === most.scopes) this.#undelivered.clear();
    this.#undelivered.set(scope, page.next === undefined ? ids : undefined);
  }

  #count(bucket: number, change: 1 | -1): void {
    const count = this.#pending[bucket];
    // A full bucket stays full: it says yes for longer than necessary.
    if (count !== undefined && count !== 65_535) this.#pending[bucket] = Math.max(0, count + change);
  }
}

const bucketOf = (digest: string): number => Number.parseInt(digest.slice(0, 4), 16);
