import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Log } from "../ports/logger.ts";
import type { SessionStore } from "../ports/store.ts";

const day = 86_400_000;
/** How long settled sessions are kept unless told otherwise: 90 days, in ms. */
export const defaultRetention = 90 * day;
/** The shortest time that settled sessions are kept, in ms: an answer must be there when its agent comes back. */
const minRetention = 3_600_000;
/** Removes settled sessions once they are old enough: in the background of an ask, and daily. */
export class Retention {
  readonly #options: { store: SessionStore; clock: Clock; log: Log; keepFor: number | null };
  #isSweeping = false;
  #cancelTimer: CancelTimer | undefined;

  constructor(options: { store: SessionStore; clock: Clock; log: Log; keepFor: number | null }) {
    this.#options = options;
    this.#armDaily();
  }

  /** Sweeps without holding anybody up, unless it does already. */
  sweepInBackground(): void {
    if (!this.#isSweeping) void this.sweep();
  }

  /** Sweeps and tells how many sessions are gone. A failure is logged, never thrown. */
  async sweep(): Promise<number> {
    const { store, clock, log, keepFor } = this.#options;
    if (keepFor === null) return 0;
    this.#isSweeping = true;
    try {
      const removed = await store.remove({ closedBefore: clock.now() - Math.max(keepFor, minRetention) });
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

  #armDaily(): void {
    this.#cancelTimer = this.#options.clock.setTimer(day, () => {
      void this.sweep();
      this.#armDaily();
    });
  }
}
