import type { CancelTimer, Clock } from "@askbox/core";
import type { Milestone } from "./milestones.ts";

/** What an announcer knows of a session. */
export class Followed {
  /** What is new about it; undefined while it is not announced here, and once it is settled. */
  newest: Milestone | undefined;
  /** What was sent, or may have been; what somebody knows anyway; and what another hub announces. */
  readonly told = new Set<string>();
  /** What waits to know whether this hub announces it. */
  readonly claiming = new Set<string>();
  /** Whether it was announced, or may have been: by this hub, and by another. */
  isAnnounced = false;
  isElsewhere = false;
  /** Whether its end is being sent. */
  isEnding = false;
  #waitsFor: string | undefined;
  #cancel: CancelTimer = () => {};

  /** Calls back in `ms`, instead of what it waited for before, unless that was the same. */
  waitFor(what: string, clock: Clock, ms: number, work: () => void): void {
    if (this.#waitsFor === what) return;
    this.stopWaiting();
    this.#waitsFor = what;
    this.#cancel = clock.setTimer(ms, () => {
      this.#waitsFor = undefined;
      work();
    });
  }

  stopWaiting(): void {
    this.#waitsFor = undefined;
    this.#cancel();
  }
}
