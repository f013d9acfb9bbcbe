import type { CancelTimer, Clock, Log } from "../ports/platform.ts";
import type { SessionStore } from "../ports/store.ts";

const day = 86_400_000;
/** Default retention of settled sessions: 90 days, in ms. */
export const defaultRetention = 90 * day;
/** The minimum retention of settled sessions, in ms: an answer must still exist when its agent returns. */
const minRetention = 3_600_000;
/** How much longer a session with an undelivered outcome is kept: 7 days, in ms. */
const undeliveredGrace = 7 * day;
/**
 * How long a session is kept if its asker withdrew it before anybody saw it: a day, in ms. Otherwise an agent could fill the disk for the
 * whole retention time.
 */
const keepUnseenFor = day;
/** How long wall time must run in step with monotonic time before it is trusted, in ms. */
const settling = 240_000;
/** A wall clock jump up to this size removes nothing too early, in ms. */
const tolerance = 60_000;
/** Removes settled sessions after their retention time: in the background of an ask, and daily. */
export class Retention {
  readonly #options: { store: SessionStore; clock: Clock; log: Log; keepFor: number | null };
  #isSweeping = false;
  /** The last known difference between wall time and monotonic time, and the monotonic time since when it has not jumped. */
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

  /** Starts a cleanup in the background, unless one is running. */
  sweepInBackground(): void {
    if (!this.#isSweeping) void this.#sweep({ unseen: false });
  }

  /**
   * Runs a full cleanup, including sessions that were withdrawn unseen, and returns the number of removed sessions; 0 while wall time is
   * not trusted, since a wrong clock could remove undelivered answers. A failure is logged, never thrown.
   */
  sweep(): Promise<number> {
    return this.#sweep({ unseen: true });
  }

  /** Finding sessions that were withdrawn unseen scans all of them, so it does not run with every ask. */
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
