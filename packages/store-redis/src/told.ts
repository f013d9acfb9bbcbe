/** What was last published about one session. */
export interface Told {
  revision: number;
  write: string;
  /** The number of that change; 0 if it was found by reading. */
  change: number;
  isPending: boolean;
}

/** How many settled sessions are remembered, to drop duplicate events. */
const settledKept = 2_000;

/**
 * What subscribers already know about each session, so that a duplicate event is published once and in order, and missed events can be
 * found by comparing. Contains all pending sessions and the latest settled ones.
 */
export class ToldBook {
  readonly #pending = new Map<string, Told>();
  readonly #settled = new Map<string, Told>();

  get(id: string): Told | undefined {
    return this.#pending.get(id) ?? this.#settled.get(id);
  }

  /** Whether this is new; it then counts as published. `revision` is 0 for a removal. */
  take(id: string, change: Told): boolean {
    const known = this.get(id);
    if (known !== undefined && change.revision > 0) {
      if (known.write === change.write) return false;
      if (change.change <= known.change) return false;
      // Found by reading, so the number of its change is unknown: only older ones are dropped.
      if (known.revision >= change.revision) return false;
    }
    if (known !== undefined && change.revision === 0 && (known.revision === 0 || change.change <= known.change)) return false;
    this.put(id, change);
    return true;
  }

  put(id: string, told: Told): void {
    this.#pending.delete(id);
    this.#settled.delete(id);
    if (told.isPending) this.#pending.set(id, told);
    else {
      this.#settled.set(id, told);
      if (this.#settled.size > settledKept) for (const oldest of this.#settled.keys()) return void this.#settled.delete(oldest);
    }
  }

  /** Numbers may restart when a server has lost the last ones. */
  forgetChanges(): void {
    for (const book of [this.#pending, this.#settled]) for (const told of book.values()) told.change = 0;
  }

  pendingIds(): string[] {
    return [...this.#pending.keys()];
  }

  settledIds(): string[] {
    return [...this.#settled.keys()];
  }
}
