import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { SessionRecord } from "../session/record.ts";

/** How long an outcome that was handed to a call may take to be written, in ms, before it counts as undelivered again. */
const deliveryGrace = 5_000;

/**
 * Outcomes on their way to a call that has not yet said that it wrote them. While one is here, no other call is
 * given it unasked (as a late answer or among `earlier`), so that it is not delivered twice.
 */
export class Handovers {
  readonly #clock: Clock;
  readonly #onEnd: (id: string) => void;
  readonly #underWay = new Map<string, { holder: object; hasReply: boolean | undefined; cancel: CancelTimer }>();

  /** `onEnd` is told of what is under way no more, however it ended. */
  constructor(clock: Clock, onEnd: (id: string) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  has(id: string): boolean {
    return this.#underWay.has(id);
  }

  /** Whether the reply, too, is on its way; undefined if it is not known what is. */
  hasReply(id: string): boolean | undefined {
    return this.#underWay.get(id)?.hasReply;
  }

  /** Keeps an outcome from others while it is looked whether it can be handed over. */
  reserve(id: string, holder: object): void {
    this.#place(id, { holder, hasReply: undefined });
  }

  begin({ id, reply }: SessionRecord, holder: object): void {
    this.#place(id, { holder, hasReply: reply !== undefined });
  }

  end(id: string): void {
    this.#underWay.get(id)?.cancel();
    if (this.#underWay.delete(id)) this.#onEnd(id);
  }

  /** The holder could not hand it on: it is free again. */
  release(id: string, holder: object): void {
    if (this.#underWay.get(id)?.holder === holder) this.end(id);
  }

  /** The holder has gone: what it had not confirmed is free again. */
  endAllOf(holder: object): void {
    for (const [id, entry] of this.#underWay) if (entry.holder === holder) this.end(id);
  }

  #place(id: string, entry: { holder: object; hasReply: boolean | undefined }): void {
    this.#underWay.get(id)?.cancel();
    this.#underWay.set(id, { ...entry, cancel: this.#clock.setTimer(deliveryGrace, () => this.end(id)) });
  }

  close(): void {
    for (const id of [...this.#underWay.keys()]) this.end(id);
  }
}
