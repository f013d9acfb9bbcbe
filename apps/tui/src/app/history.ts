import { type CancelTimer, type Clock, type Desk, toAskboxError } from "@askbox/core";
import type { HistoryState } from "../model/ui-state.ts";

const page = 100;
/** Debounce between a key and its search, in milliseconds. */
const timeout = 120;

/** Settled sessions, searched by the hub; late responses to an earlier search are dropped. */
export class History {
  readonly #desk: Desk;
  readonly #clock: Clock;
  readonly #change: (change: (present: HistoryState) => HistoryState) => void;
  #asked = 0;
  #cancelTimer: CancelTimer | undefined;

  constructor(desk: Desk, clock: Clock, change: (change: (present: HistoryState) => HistoryState) => void) {
    this.#desk = desk;
    this.#clock = clock;
    this.#change = change;
  }

  search(query: string): void {
    this.#cancelTimer?.();
    this.#change((present) => ({ ...present, query, loading: true }));
    this.#cancelTimer = this.#clock.setTimer(query === "" ? 0 : timeout, () => void this.#load(query));
  }

  more({ query, nextCursor, loading }: HistoryState): void {
    if (nextCursor === undefined || loading) return;
    this.#change((present) => ({ ...present, loading: true }));
    void this.#load(query, nextCursor);
  }

  async #load(query: string, cursor?: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const { items, nextCursor } = await this.#desk.list({
        statuses: ["answered", "cancelled", "timed_out"],
        limit: page,
        ...(query.trim() === "" ? {} : { text: query.trim() }),
        cursor,
      });
      if (asked !== this.#asked) return;
      const before = (present: HistoryState) => (cursor === undefined ? [] : present.items);
      this.#change((present) => ({ query, items: [...before(present), ...items], nextCursor, loading: false, failure: undefined }));
    } catch (error) {
      if (asked === this.#asked) this.#change((present) => ({ ...present, loading: false, failure: toAskboxError(error).message }));
    }
  }
}
