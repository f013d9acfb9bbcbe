import { type CancelTimer, type Clock, type Desk, type SessionView, toAskboxError } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";
import type { Ending, HistoryState } from "../model/ui-state.ts";

const page = 100;
/** Pages that are read for one with something in it. */
const maxPages = 20;
const settled = ["answered", "cancelled", "timed_out"] as const;
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

  search(query: string, ending: Ending | undefined): void {
    this.#cancelTimer?.();
    this.#change((present) => ({ ...present, query, ending, loading: true }));
    this.#cancelTimer = this.#clock.setTimer(query === "" ? 0 : timeout, () => void this.#load(query, ending));
  }

  more({ query, ending, nextCursor, loading }: HistoryState): void {
    if (nextCursor === undefined || loading) return;
    this.#change((present) => ({ ...present, loading: true }));
    void this.#load(query, ending, nextCursor);
  }

  async #load(query: string, ending: Ending | undefined, cursor?: string): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    try {
      const items: SessionView[] = [];
      let nextCursor = cursor;
      // The hub counts a denied action as answered, so that pages may have none of them.
      for (let read = 0; read === 0 || (read < maxPages && items.length === 0 && nextCursor !== undefined); read += 1) {
        const found = await this.#desk.list({
          statuses: ending === undefined ? settled : [ending === "denied" ? "answered" : ending],
          limit: page,
          ...(query.trim() === "" ? {} : { text: query.trim() }),
          cursor: nextCursor,
        });
        if (asked !== this.#asked) return;
        const isWanted = (session: SessionView) => session.status !== "answered" || isDenied(session) === (ending === "denied");
        items.push(...(ending === undefined ? found.items : found.items.filter(isWanted)));
        nextCursor = found.nextCursor;
      }
      const before = (present: HistoryState) => (cursor === undefined ? [] : present.items);
      this.#change((present) => ({ query, ending, items: [...before(present), ...items], nextCursor, loading: false, failure: undefined }));
    } catch (error) {
      if (asked === this.#asked) this.#change((present) => ({ ...present, loading: false, failure: toAskboxError(error).message }));
    }
  }
}
