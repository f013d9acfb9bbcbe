/**
 * What several hubs over one store share beside it: short-lived facts by key, and news. No answer lives here: whatever is lost of it costs
 * time, or a question asked twice. Every method rejects with `STORE_UNAVAILABLE` when the shared state cannot be reached; nothing is then known
 * to have happened. Keys are 1–500 characters. Prove an implementation with `sharedContract` from `@askbox/core/testing`.
 */
export interface SharedState {
  get(key: string): Promise<string | undefined>;
  /**
   * Compare-and-set: where the key has `expected` (undefined: where there is none), it is given `next` (undefined: it is removed) for `ttl` ms
   * (whole, 1 or more; null for ever), and the promise resolves with true. A value that is replaced by itself lives on for `ttl`.
   */
  swap(key: string, expected: string | undefined, next: string | undefined, ttl: number | null): Promise<boolean>;
  /**
   * Counts one under a key, unless there were `most` already in the last `window` ms. Resolves with 0 when it was counted, else with the ms
   * after which one more will be.
   */
  take(key: string, most: number, window: number): Promise<number>;
  /** Tells everybody who listens to the topic, this process too. Not kept for those who do not listen at the moment. */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Listens to a topic; resolves once nothing that is published from then on is missed while the connection lasts. Messages of one publisher come
   * in their order. Returns how to stop.
   */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => void>;
  /** Lets go of all resources; listeners are told no more. */
  close(): Promise<void>;
}
