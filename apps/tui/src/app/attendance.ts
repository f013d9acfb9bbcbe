import type { CancelTimer, Clock, Desk } from "@askbox/core";

/** Milliseconds that a session must be open to count as seen: moving through a list opens none of them. */
const seenAfter = 250;

/** Reports to the hub which session this person has open. */
export class Attendance {
  readonly #desk: Desk;
  readonly #clock: Clock;
  #id: string | undefined;
  /** Counts what was opened, so that a reply that comes late is known as such. */
  #turn = 0;
  #leave: (() => void) | undefined;
  #cancelTimer: CancelTimer | undefined;

  constructor(desk: Desk, clock: Clock) {
    this.#desk = desk;
    this.#clock = clock;
  }

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
      // It was settled or the hub went away meanwhile; both are shown by the inbox.
    }
  }
}
