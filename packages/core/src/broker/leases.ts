import type { Log } from "../ports/platform.ts";
import type { SharedState } from "../ports/shared.ts";

/** How long a lease lasts without being renewed, in ms. Whether its hub is alive is known separately, and sooner. */
const heldFor = 21_600_000;
/** Far more attempts than there can be hubs racing for one session. */
const maxTries = 100;

export interface LeasesOptions {
  shared: SharedState;
  log: Log;
  /** This hub's id. */
  self: string;
  isAlive(hub: string): Promise<boolean>;
  /** Whether a call at this hub waits for the session, is about to, or is receiving its outcome. */
  isNeeded(id: string): boolean;
}

/**
 * Which hubs hold a session, because a call there waits for it, is about to, or is receiving the outcome. Only the hub that holds a session
 * alone delivers its outcome unasked, or lets an ask join it, so that a decision in one process's memory is valid for all of them.
 */
export class Leases {
  readonly #options: LeasesOptions;
  /** For each session held here: its holders, as last written. */
  readonly #held = new Map<string, string>();
  /** Sessions whose lease could not be written. */
  readonly #missed = new Set<string>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: LeasesOptions) {
    this.#options = options;
  }

  /** Takes a session that no other living hub holds; at most one of several hubs that race succeeds. */
  async claim(id: string): Promise<boolean> {
    return this.#inTurn(id, () => this.#take(id, true));
  }

  /** Holds the session in addition to its current holders. Never rejects: a failed write is retried later. */
  async hold(id: string): Promise<void> {
    await this.#inTurn(id, () => (this.#held.has(id) ? true : this.#take(id, false))).catch((error) => this.#miss(id, error));
  }

  /** Releases a session that is no longer needed here. */
  release(id: string): void {
    const { isNeeded } = this.#options;
    if (isNeeded(id) || !(this.#held.has(id) || this.#turns.has(id))) return;
    void this.#inTurn(id, () => this.#drop(id)).catch((error) => this.#miss(id, error));
  }

  /** Writes all leases again: after this hub was considered dead, and before they expire. */
  async renew(): Promise<void> {
    await Promise.all([...new Set([...this.#held.keys(), ...this.#missed])].map((id) => this.#write(id)));
  }

  /** Retries failed writes. */
  async catchUp(): Promise<void> {
    await Promise.all([...this.#missed].map((id) => this.#write(id)));
  }

  /** Resolves when all writes in progress have succeeded or failed. */
  async written(): Promise<void> {
    await Promise.allSettled([...this.#turns.values()]);
  }

  /** Releases everything, because this hub is closing. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#held.keys()].map((id) => this.#inTurn(id, () => this.#drop(id, true))));
  }

  async #write(id: string): Promise<void> {
    const { isNeeded } = this.#options;
    try {
      await this.#inTurn(id, async () => void (isNeeded(id) ? await this.#take(id, false) : await this.#drop(id)));
    } catch (error) {
      this.#miss(id, error);
    }
  }

  async #take(id: string, alone: boolean): Promise<boolean> {
    const { shared, self } = this.#options;
    let present = this.#held.get(id);
    // What was last written by others may be outdated.
    if (alone && othersIn(present, self).length > 0) present = await shared.get(keyOf(id));
    for (let tries = 0; tries < maxTries; tries += 1) {
      const others = othersIn(present, self);
      if (alone && (await this.#isAnyAlive(others))) return false;
      const next = alone ? self : [...others, self].join(" ");
      if (await shared.swap(keyOf(id), present, next, heldFor)) {
        this.#held.set(id, next);
        this.#missed.delete(id);
        return true;
      }
      present = await shared.get(keyOf(id));
    }
    return false;
  }

  async #drop(id: string, always = false): Promise<void> {
    const { shared, self, isNeeded } = this.#options;
    let present = this.#held.get(id);
    for (let tries = 0; tries < maxTries; tries += 1) {
      if (!always && isNeeded(id)) return;
      if (present === undefined || !hubsIn(present).includes(self)) break;
      const others = othersIn(present, self);
      if (await shared.swap(keyOf(id), present, others.length === 0 ? undefined : others.join(" "), heldFor)) break;
      present = await shared.get(keyOf(id));
    }
    this.#held.delete(id);
    this.#missed.delete(id);
  }

  async #isAnyAlive(hubs: readonly string[]): Promise<boolean> {
    for (const hub of hubs) if (await this.#options.isAlive(hub)) return true;
    return false;
  }

  #miss(id: string, error: unknown): void {
    this.#missed.add(id);
    this.#options.log("debug", "A session's lease could not be written; trying again", { sessionId: id, error: String(error) });
  }

  /** One at a time per session. */
  #inTurn<T>(id: string, work: () => T | Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work, work);
    this.#turns.set(id, turn);
    const forget = () => {
      if (this.#turns.get(id) === turn) this.#turns.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  }
}

const keyOf = (id: string) => `asker:${id}`;
const hubsIn = (value: string | undefined): string[] => (value === undefined ? [] : value.split(" "));
const othersIn = (value: string | undefined, self: string): string[] => hubsIn(value).filter((hub) => hub !== self);
