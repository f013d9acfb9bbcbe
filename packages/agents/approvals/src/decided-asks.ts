/** A decided request about which its client may still report. */
export interface DecidedAsk {
  run: string;
  agentId: string | undefined;
  sessionId: string;
  /** Whether the client must report that it ran. */
  isExpected: boolean;
}

/** The maximum number of conversations, and of requests in each, about which a report may come. */
const maxDecided = 100;

/** Decided requests, by asker and conversation. */
export class DecidedAsks {
  readonly #asks = new Map<string, DecidedAsk[]>();

  add(key: string, ask: DecidedAsk): void {
    const others = this.in(key);
    // The one that was used last is the last to go.
    this.#asks.delete(key);
    this.#asks.set(key, [...others, ask].slice(-maxDecided));
    const [oldest] = this.#asks.keys();
    if (this.#asks.size > maxDecided && oldest !== undefined) this.#asks.delete(oldest);
  }

  in(key: string): readonly DecidedAsk[] {
    return this.#asks.get(key) ?? [];
  }

  /** Removes and returns those for which the condition holds. */
  take(key: string, isTaken: (ask: DecidedAsk) => boolean): DecidedAsk[] {
    const all = this.in(key);
    const left = all.filter((ask) => !isTaken(ask));
    if (left.length === 0) this.#asks.delete(key);
    else this.#asks.set(key, left);
    return all.filter(isTaken);
  }
}
