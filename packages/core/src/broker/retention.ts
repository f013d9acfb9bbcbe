import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Log } from "../ports/logger.ts";
import type { SessionStore } from "../ports/store.ts";

const day = 86_400_000;
/** How long settled sessions are kept unless told otherwise: 90 days, in ms. */
export const defaultRetention = 90 * day;
/** The shortest time that settled sessions are kept, in ms: an answer must be there when its agent comes back. */
const minRetention = 3_600_000;
/** How much longer a session is kept whose outcome its asker has not been given: 7 days, in ms. */
const undeliveredGrace = 7 * day;
/** How long a session is kept that its asker withdrew before anybody saw it: a day, in ms. An agent could otherwise fill the disk for all of the retention time. */
const keepUnseenFor = day;
/** How long wall time must have gone at the pace of monotonic time before it is believed, in ms: less than any hub runs. */
const settling = 240_000;
/** A jump of the wall clock by no more than this removes nothing too early, in ms. */
const tolerance = 60_000;
/** Removes settled sessions once they are old enough: in the background of an ask, and daily. */
export class Retention {
  readonly #options: { store: SessionStore; clock: Clock; log: Log; keepFor: number | null };
  #isSweeping = false;
  /** Wall time less monotonic time as it was last seen, and since when, by monotonic time, it has not jumped. */
  #offset: number;
  #steadySince: number;
  #cancelTimer: CancelTimer | undefined;

  constructor(options: { store: SessionStore; clock: Clock; log: Log; keepFor: number | null }) {
    this.#options = options;
    const { clock } = options;
    this.#steadySince = clock.monotonic();
    this.#offset = clock.now() - this.#steadySince;
    this.#arm(settling);
  }

  /** Sweeps without holding anybody up, unless it does already. */
  sweepInBackground(): void {
    if (!this.#isSweeping) void this.#sweep({ unseen: false });
  }

  /**
   * Sweeps, what was withdrawn unseen included, and tells how many sessions are gone; none while wall time is not believed, since a clock that is set wrongly for a moment would make answers
   * old that nobody has been given. A failure is logged, never thrown.
   */
  sweep(): Promise<number> {
    return this.#sweep({ unseen: true });
  }

  /** Which were withdrawn unseen is looked up in all sessions that are kept, and so not with every ask. */
  async #sweep({ unseen }: { unseen: boolean }): Promise<number> {
    const { store, clock, log, keepFor } = this.#options;
    if (keepFor === null || !this.#isSteady()) return 0;
    this.#isSweeping = true;
    try {
      const now = clock.now();
      const closedBefore = now - Math.max(keepFor, minRetention);
      const undeliveredBefore = closedBefore - undeliveredGrace;
      const removed = await store.remove({ closedBefore, undeliveredBefore, ...(unseen && { unseenBefore: now - keepUnseenFor }) });
      if (removed > 0) log("info", "Removed expired sessions", { removed });
      return removed;
    } catch (error) {
      log("warn", "Removing expired sessions failed", { error: String(error) });
      return 0;
    } finally {
      this.#isSweeping = false;
    }
  }

  close(): void {
    this.#cancelTimer?.();
  }

  #isSteady(): boolean {
    const { clock } = this.#options;
    const monotonic = clock.monotonic();
    const offset = clock.now() - monotonic;
    if (Math.abs(offset - this.#offset) > tolerance) this.#steadySince = monotonic;
    this.#offset = offset;
    return monotonic - this.#steadySince >= settling;
  }

  #arm(delay: number): void {
    this.#cancelTimer = this.#options.clock.setTimer(delay, () => {
      void this.sweep();
      this.#arm(this.#isSteady() ? day : settling);
    });
  }
}
