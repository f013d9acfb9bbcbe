import type { CancelTimer, Clock } from "../ports/clock.ts";

/** How long an outcome that was handed to a call may take to be written, in ms, before it counts as undelivered again. */
const deliveryGrace = 5_000;

/**
 * Outcomes on their way to a call that has not yet said that it wrote them. While one is here, no other call is
 * given it unasked (as a late answer or among `earlier`), so that it is not delivered twice.
 */
export class InFlight {
  readonly #clock: Clock;
  readonly #onEnd: (id: string) => void;
  readonly #deliveries = new Map<string, { holder: object; messages: number; cancel: CancelTimer }>();

  /** `onEnd` is called for each that is in flight no more, however it ended. */
  constructor(clock: Clock, onEnd: (id: string) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  has(id: string): boolean {
    return this.#deliveries.has(id);
  }

  /** How many messages the thread of what was handed over had; 0 for none. */
  messagesOf(id: string): number {
    return this.#deliveries.get(id)?.messages ?? 0;
  }

  /** The holder has it, with so many messages, or is about to; the grace begins again. */
  begin(id: string, holder: object, messages = 0): void {
    this.#deliveries.get(id)?.cancel();
    this.#deliveries.set(id, { holder, messages, cancel: this.#clock.setTimer(deliveryGrace, () => this.end(id)) });
  }

  end(id: string): void {
    this.#deliveries.get(id)?.cancel();
    if (this.#deliveries.delete(id)) this.#onEnd(id);
  }

  /** The holder could not hand it on: it is free again. */
  release(id: string, holder: object): void {
    if (this.#deliveries.get(id)?.holder === holder) this.end(id);
  }

  /** The holder has gone: what it had not confirmed is free again. */
  endAllOf(holder: object): void {
    for (const [id, entry] of this.#deliveries) if (entry.holder === holder) this.end(id);
  }

  close(): void {
    for (const id of [...this.#deliveries.keys()]) this.end(id);
  }
}
