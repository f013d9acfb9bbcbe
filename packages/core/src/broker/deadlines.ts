import type { CancelTimer, Clock } from "../ports/platform.ts";

interface Entry {
  id: string;
  /** Wall time as it is stored; null for none. */
  deadlineAt: number | null;
  /** The same moment on the monotonic clock; infinite for none. */
  due: number;
  /** When it first came due, while it is postponed or being written. */
  firstDue: number | undefined;
  /** Its index in the heap. */
  index: number;
}

/**
 * The deadlines of all pending sessions: a binary heap with a single timer. A deadline is converted to monotonic time when it is first
 * seen, so that jumps of the wall clock neither advance nor delay it.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #onDue: (id: string, overdue: number) => void;
  readonly #heap: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  #cancelTimer: CancelTimer | undefined;
  #armedFor = Number.POSITIVE_INFINITY;

  /** `onDue` receives how many ms ago the deadline first passed. */
  constructor(clock: Clock, onDue: (id: string, overdue: number) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** How many sessions are pending. */
  get size(): number {
    return this.#byId.size;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Adds or updates a pending session. A known deadline keeps its monotonic time. */
  set(id: string, deadlineAt: number | null): void {
    const known = this.#byId.get(id);
    if (known?.deadlineAt === deadlineAt) return;
    const due = deadlineAt === null ? Number.POSITIVE_INFINITY : this.#clock.monotonic() + deadlineAt - this.#clock.now();
    this.#place(id, deadlineAt, due).firstDue = undefined;
  }

  /** Postpones a deadline in memory only: calls back in `delay` ms. */
  defer(id: string, delay: number): void {
    const entry = this.#byId.get(id);
    if (entry !== undefined) this.#place(id, entry.deadlineAt, this.#clock.monotonic() + delay);
  }

  /**
   * Whether the deadline is less than `timeout` ms away, by the remaining time: after a jump of the wall clock the stored one is not
   * reliable.
   */
  isWithin(id: string, timeout: number): boolean {
    return timeout > (this.remaining(id) ?? Number.NEGATIVE_INFINITY);
  }

  /** A stored deadline, moved to `timeout` ms from now; never earlier than before. */
  moved(stored: number | null, timeout: number): number | null {
    return stored === null ? null : Math.max(this.#clock.now() + timeout, stored + 1);
  }

  /** Whether another hub has moved the deadline without this hub knowing yet. */
  isPutOff(id: string, deadlineAt: number | null): boolean {
    const entry = this.#byId.get(id);
    if (entry === undefined || entry.deadlineAt === deadlineAt) return false;
    this.set(id, deadlineAt);
    return entry.due > this.#clock.monotonic();
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#byId.delete(id);
    const last = this.#heap.pop();
    if (last !== undefined && last !== entry) {
      this.#heap[entry.index] = last;
      last.index = entry.index;
      this.#settle(last);
    }
    this.#arm();
  }

  /**
   * Milliseconds until the deadline, negative once it has passed; infinite if there is none; undefined for a session that is not pending.
   */
  remaining(id: string): number | undefined {
    const entry = this.#byId.get(id);
    return entry === undefined ? undefined : entry.due - this.#clock.monotonic();
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#heap.length = 0;
    this.#byId.clear();
  }

  #place(id: string, deadlineAt: number | null, due: number): Entry {
    let entry = this.#byId.get(id);
    if (entry === undefined) {
      entry = { id, deadlineAt, due, firstDue: undefined, index: this.#heap.length };
      this.#heap.push(entry);
      this.#byId.set(id, entry);
    }
    entry.deadlineAt = deadlineAt;
    entry.due = due;
    this.#settle(entry);
    this.#arm();
    return entry;
  }

  #settle(entry: Entry): void {
    this.#up(entry);
    this.#down(entry);
  }

  #up(entry: Entry): void {
    while (entry.index > 0) {
      const parent = this.#heap[(entry.index - 1) >> 1];
      if (parent === undefined || parent.due <= entry.due) return;
      this.#swap(entry, parent);
    }
  }

  #down(entry: Entry): void {
    for (;;) {
      const left = this.#heap[2 * entry.index + 1];
      const right = this.#heap[2 * entry.index + 2];
      const nearer = left !== undefined && right !== undefined && right.due < left.due ? right : left;
      if (nearer === undefined || nearer.due >= entry.due) return;
      this.#swap(entry, nearer);
    }
  }

  #swap(a: Entry, b: Entry): void {
    [a.index, b.index] = [b.index, a.index];
    this.#heap[a.index] = a;
    this.#heap[b.index] = b;
  }

  #arm(): void {
    const next = this.#heap[0]?.due ?? Number.POSITIVE_INFINITY;
    if (next === this.#armedFor) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#armedFor = next;
    if (next === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#clock.setTimer(Math.max(0, Math.ceil(next - this.#clock.monotonic())), () => this.#fire());
  }

  #fire(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#cancelTimer = undefined;
    const now = this.#clock.monotonic();
    for (let first = this.#heap[0]; first !== undefined && first.due <= now; first = this.#heap[0]) {
      // Until the change comes back through the store, check again later: the write may fail.
      first.firstDue ??= first.due;
      first.due = now + retryDelay;
      this.#settle(first);
      this.#onDue(first.id, now - first.firstDue);
    }
    this.#arm();
  }
}

/** Milliseconds until an unsuccessful write of a deadline is retried. */
const retryDelay = 1_000;
