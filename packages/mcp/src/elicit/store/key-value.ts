import type { Digest } from "@askbox/core";
import type { ElicitationStore } from "./store.ts";

/** What nearly every key-value service can do, each on its own: a session store, a cache, a table with an expiry column. */
export interface KeyValue {
  get(key: string): Promise<string | null | undefined>;
  /** Puts a value for `ttl` ms, whatever is there. */
  set(key: string, value: string, ttl: number): Promise<unknown>;
  /** Puts a value for `ttl` ms unless there is one, in one step; resolves with whether it did (`SET NX PX` in Redis, `add` in memcached). */
  add(key: string, value: string, ttl: number): Promise<boolean>;
}

/** How long one writer may take from its claim to its write, in ms; a writer that dies in between blocks the key for so long. */
const claimTtl = 30_000;

/**
 * A store over a key-value service that has no compare-and-set: whoever changes a value first claims the right to with `add`. Values never come back
 * once they were replaced, so a claim is on one value of one key. Where the service has compare-and-set, write the two methods with it instead.
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
      // Somebody may have changed it, and their claim run out, since it was read.
      if ((await read(key)) !== expected) return false;
      await service.set(prefix + key, next, ttl);
      return true;
    },
  };
}
