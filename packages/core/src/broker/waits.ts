import type { SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";

type Wake = (record: SessionRecord) => void;

/** Whether a call that waits for the session should return: it is settled, or a person has asked something back. */
export const concernsAsker = (record: SessionRecord): boolean => record.state !== "pending" || askedBack(record).length > 0;

/** The waits for each session. */
export class Waits {
  readonly #bySession = new Map<string, Set<Wake>>();
  /** Pending sessions with undelivered messages. */
  readonly #asked = new Set<string>();

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
