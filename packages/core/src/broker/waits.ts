import type { SessionRecord } from "../session/record.ts";

type Wake = (record: SessionRecord) => void;

/** Who waits for which session. */
export class Waits {
  readonly #bySession = new Map<string, Set<Wake>>();

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

  wake(record: SessionRecord): void {
    for (const wake of [...(this.#bySession.get(record.id) ?? [])]) wake(record);
  }
}
