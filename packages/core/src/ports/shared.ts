/**
 * What several hubs over one store share in addition to it: short-lived values by key, and events. It contains no answers: losing it costs
 * time, or a question is asked twice. Every method rejects with `STORE_UNAVAILABLE` if the shared state cannot be reached; whether it took
 * effect is then unknown. Keys have 1–500 characters. Test an implementation with `sharedContract` from `@askbox/core/testing`.
 */
export interface SharedState {
  get(key: string): Promise<string | undefined>;
  /**
   * Optional. Like `get`, for a large value that is read often and rarely changes: resolves with undefined if the value is still the one of
   * `version`, which an earlier call returned, without reading it. Every change of a value, by any process, changes its version.
   */
  getNewer?(key: string, version: string | undefined): Promise<{ version: string; value: string | undefined } | undefined>;
  /**
   * Compare-and-set: if the key's value is `expected` (undefined: no value), sets it to `next` (undefined: removes it) for `ttl` ms (whole,
   * 1 or more; null forever), and resolves with true. Setting the same value renews `ttl`.
   */
  swap(key: string, expected: string | undefined, next: string | undefined, ttl: number | null): Promise<boolean>;
  /**
   * Counts one under a key, unless there were already `most` in the last `window` ms. Resolves with 0 if it was counted, else with the ms
   * until one more fits.
   */
  take(key: string, most: number, window: number): Promise<number>;
  /** Publishes to all subscribers of the topic, in this process too. Messages are not stored for later subscribers. */
  publish(topic: string, message: string): Promise<void>;
  /**
   * Subscribes to a topic; once it resolves, no message is missed while the connection lasts. Messages of one publisher arrive in order.
   * Returns a function that unsubscribes.
   */
  subscribe(topic: string, listener: (message: string) => void): Promise<() => void>;
  /** Releases all resources; listeners are no longer called. */
  close(): Promise<void>;
}
