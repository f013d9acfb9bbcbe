import type { CancelTimer, Clock } from "../ports/platform.ts";
import type { SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";

/**
 * Between an outcome and its asker: `Waits` wakes the calls that wait for a session, `InFlight` keeps what a call was given until it
 * acknowledges it. A call that dies in between gives it back after 5 s, so that the next one delivers it.
 */

type Wake = (record: SessionRecord) => void;

/** Whether a call that waits for the session should return: it is settled, or a person has asked something back. */
export const concernsAsker = (record: SessionRecord): boolean => record.state !== "pending" || askedBack(record).length > 0;

/** Clients of tasks poll every 5 s at most; ms. */
const pollGrace = 6_500;
/** Beyond this number, looks that are over are forgotten. */
const maxLooks = 1_000;

/** The waits for each session. */
export class Waits {
  readonly #bySession = new Map<string, Set<Wake>>();
  /** Pending sessions with undelivered messages. */
  readonly #asked = new Set<string>();
  /** When a call last looked at a session without waiting for it: whoever polls will look again. */
  readonly #looks = new Map<string, number>();

  add(id: string, wake: Wake): void {
    this.#bySession.set(id, (this.#bySession.get(id) ?? new Set()).add(wake));
  }

  remove(id: string, wake: Wake): void {
    const waiting = this.#bySession.get(id);
    if (waiting?.delete(wake) && waiting.size === 0) this.#bySession.delete(id);
  }

  has(id: string): boolean {
    return this.#bySession.has(id);
  }

  /** A call looks at a session at `now`, monotonic time. */
  looked(id: string, now: number): void {
    if (this.#looks.size >= maxLooks) for (const [old, at] of this.#looks) if (now - at > pollGrace) this.#looks.delete(old);
    this.#looks.set(id, now);
  }

  /** Whether its asker polls it: a task's client does. */
  isPolled(id: string, now: number): boolean {
    return now - (this.#looks.get(id) ?? Number.NEGATIVE_INFINITY) <= pollGrace;
  }

  /** Whether there is an undelivered message from a person, as far as is known here. */
  isAskedBack(id: string): boolean {
    return this.#asked.has(id);
  }

  /** Ends the waits for a session if its asker should return. */
  wake(record: SessionRecord): void {
    const isConcerned = concernsAsker(record);
    if (record.state === "pending" && isConcerned) this.#asked.add(record.id);
    else this.#asked.delete(record.id);
    if (isConcerned) for (const wake of [...(this.#bySession.get(record.id) ?? [])]) wake(record);
  }

  forget(id: string): void {
    this.#asked.delete(id);
  }
}

/** How long a call may take to acknowledge an outcome, in ms, before it counts as undelivered again. */
const deliveryGrace = 5_000;

/**
 * Outcomes handed to a call that has not acknowledged them yet. In the meantime, no other call gets them unless it requests them by id, so
 * that they are not delivered twice.
 */
export class InFlight {
  readonly #clock: Clock;
  readonly #onEnd: (id: string) => void;
  readonly #deliveries = new Map<string, { holder: object; record: SessionRecord | undefined; cancel: CancelTimer }>();

  /** `onEnd` is called for each outcome that is no longer in flight, for any reason. */
  constructor(clock: Clock, onEnd: (id: string) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  has(id: string): boolean {
    return this.#deliveries.has(id);
  }

  /** The number of messages in the thread that was handed over; 0 for none. */
  messagesOf(id: string): number {
    return this.#deliveries.get(id)?.record?.thread.length ?? 0;
  }

  /** What this holder was given, so that its acknowledgement needs no read. */
  recordOf(id: string, holder: object): SessionRecord | undefined {
    const delivery = this.#deliveries.get(id);
    return delivery?.holder === holder ? delivery.record : undefined;
  }

  /** Hands it to the holder, as this record; restarts the timeout. */
  begin(id: string, holder: object, record?: SessionRecord): void {
    this.#deliveries.get(id)?.cancel();
    this.#deliveries.set(id, { holder, record, cancel: this.#clock.setTimer(deliveryGrace, () => this.end(id)) });
  }

  end(id: string): void {
    this.#deliveries.get(id)?.cancel();
    if (this.#deliveries.delete(id)) this.#onEnd(id);
  }

  /** The holder could not deliver it: it is released. */
  release(id: string, holder: object): void {
    if (this.#deliveries.get(id)?.holder === holder) this.end(id);
  }

  /** The holder is gone: what it had not acknowledged is released. */
  endAllOf(holder: object): void {
    for (const [id, entry] of this.#deliveries) if (entry.holder === holder) this.end(id);
  }

  close(): void {
    for (const id of [...this.#deliveries.keys()]) this.end(id);
  }
}
