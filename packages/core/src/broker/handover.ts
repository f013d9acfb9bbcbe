import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { SessionRecord } from "../session/record.ts";

/** How long an outcome that was handed to a call may take to be written, in ms, before it counts as undelivered again. */
const handoverGrace = 5_000;

/**
 * Outcomes on their way to a call that has not yet said that it wrote them. While one is here, no other call is
 * given it unasked (as a late answer or among `earlier`), so that it is not delivered twice.
 */
export class Handovers {
  readonly #clock: Clock;
  readonly #underWay = new Map<string, { holder: object; hasReply: boolean; cancel: CancelTimer }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(id: string): boolean {
    return this.#underWay.has(id);
  }

  /** Whether the reply, too, is on its way; nothing when it is not known what is. */
  hasReply(id: string): boolean | undefined {
    return this.#underWay.get(id)?.hasReply;
  }

  begin({ id, reply }: SessionRecord, holder: object): void {
    this.end(id);
    const cancel = this.#clock.setTimer(handoverGrace, () => this.#underWay.delete(id));
    this.#underWay.set(id, { holder, hasReply: reply !== undefined, cancel });
  }

  end(id: string): void {
    this.#underWay.get(id)?.cancel();
    this.#underWay.delete(id);
  }

  /** The holder has gone: what it had not confirmed is free again. */
  endAllOf(holder: object): void {
    for (const [id, entry] of this.#underWay) if (entry.holder === holder) this.end(id);
  }

  close(): void {
    for (const id of [...this.#underWay.keys()]) this.end(id);
  }
}
