import type { CancelTimer, Clock, Desk } from "@askbox/core";

/** Milliseconds a session must be open to count as seen: a person has looked at it, and not only moved past it. */
const seenAfter = 1_000;

/** Reports to the hub which session the person has open. */
export class Attendance {
  readonly #desk: Desk;
  readonly #clock: Clock;
  #id: string | undefined;
  /** Counts opened sessions, so that a late response can be recognised. */
  #turn = 0;
  #leave: (() => void) | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(desk: Desk, clock: Clock) {
    this.#desk = desk;
    this.#clock = clock;
  }

  /** The session that is open now; undefined if none is, or if the page is in the background. */
  attend(id: string | undefined): void {
    if (id === this.#id) return;
    this.#id = id;
    this.#turn += 1;
    const turn = this.#turn;
    this.#cancelTimer?.();
    this.#leave?.();
    this.#leave = undefined;
    if (id !== undefined) this.#cancelTimer = this.#clock.setTimer(seenAfter, () => void this.#begin(id, turn));
  }

  async #begin(id: string, turn: number): Promise<void> {
    try {
      const leave = await this.#desk.attend(id);
      if (this.#turn === turn) this.#leave = leave;
      else leave();
    } catch {
      // The session was settled or the hub went away; the inbox shows both.
    }
  }
}
