import type { Digest } from "@askbox/core";
import type { ElicitationStore } from "./store.ts";

/** Operations of nearly every key-value service: a session store, a cache, a table with an expiry column. */
export interface KeyValue {
  get(key: string): Promise<string | null | undefined>;
  /** Sets a value for `ttl` ms, whether or not there is one. */
  set(key: string, value: string, ttl: number): Promise<unknown>;
  /** Sets a value for `ttl` ms unless there is one, atomically; resolves with whether it did (`SET NX PX` in Redis, `add` in memcached). */
  add(key: string, value: string, ttl: number): Promise<boolean>;
}

/** How long a writer may take from its claim to its write, in ms; a writer that crashes in between blocks the key for that long. */
const claimTtl = 30_000;

/**
 * A store over a key-value service without compare-and-set: a writer first claims the right to change a value with `add`. A replaced value
 * never recurs, so a claim is for one value of one key. If the service has compare-and-set, implement the two methods with that instead.
 */
export function keyValueElicitationStore(service: KeyValue, options: { digest: Digest; prefix?: string }): ElicitationStore {
  const { digest, prefix = "askbox:elicit:" } = options;
  const read = async (key: string) => (await service.get(prefix + key)) ?? undefined;
  return {
    get: read,
    async replace(key, expected, next, ttl) {
      if (expected === undefined) return service.add(prefix + key, next, ttl);
      if ((await read(key)) !== expected) return false;
      if (!(await service.add(`${prefix}claim:${key}:${await digest(expected)}`, "1", claimTtl))) return false;
      // It may have been changed, and that claim expired, since it was read.
      if ((await read(key)) !== expected) return false;
      await service.set(prefix + key, next, ttl);
      return true;
    },
  };
}
