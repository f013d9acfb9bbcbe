/**
 * Stores calls that wait for a person's answer between two runs of their tool. Values are opaque strings of a few KB. Several server
 * processes behind one address must share a store. Test an implementation with `elicitationStoreContract` from `@askbox/elicit/testing`.
 */
export interface ElicitationStore {
  /** The value under the key, unless there is none or it has expired. */
  get(key: string): Promise<string | undefined>;
  /**
   * Sets `next` for `ttl` ms (1 or more) if the current value is exactly `expected`; undefined means no value. Resolves with whether it
   * did. If several race with the same `expected`, exactly one succeeds.
   */
  replace(key: string, expected: string | undefined, next: string, ttl: number): Promise<boolean>;
}
