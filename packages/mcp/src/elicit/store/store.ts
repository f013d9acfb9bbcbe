/**
 * Where calls that wait for a person's answer are kept between two runs of their tool. Values are opaque text, a few KB each.
 * With several server processes behind one address all of them need the same store.
 * Prove an implementation with `elicitationStoreContract` from `@askbox/mcp/testing`.
 */
export interface ElicitationStore {
  /** The value under the key, unless there is none or its time is over. */
  get(key: string): Promise<string | undefined>;
  /**
   * Puts `next` under the key for `ttl` ms (1 or more) if what is there now is exactly `expected`; undefined stands for nothing.
   * Resolves with whether it did. Of several that race from the same `expected` exactly one succeeds.
   */
  replace(key: string, expected: string | undefined, next: string, ttl: number): Promise<boolean>;
}
