import { type ElicitationStore, sealedElicitationStore } from "@askbox/elicit";
import { elicitationStoreContract } from "@askbox/elicit/testing";
import { openRedisElicitation } from "@askbox/store-redis";
import { type RedisProcess, startRedis } from "@askbox/store-redis/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const secret = "a secret that is long enough for a key";
let redis: RedisProcess;
let spaces = 0;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** How long a second of the contract takes on the server, whose clock cannot be stopped between two commands. */
const slowness = 20;

/** Two processes' stores in a separate space. Time passes by shortening the expiry of keys. */
async function twoOnRedis() {
  spaces += 1;
  const prefix = `space-${spaces}`;
  const url = `${redis.url}?prefix=${prefix}`;
  const [one, other] = await Promise.all([openRedisElicitation({ url }), openRedisElicitation({ url })]);
  const slow = ({ get, replace }: ElicitationStore): ElicitationStore => ({
    get,
    replace: (key, expected, next, ttl) => replace(key, expected, next, slowness * ttl),
  });
  const advance = async (ms: number) => {
    for (const key of await redis.command<string[]>("KEYS", `{${prefix}}:*`)) {
      const left = await redis.command<number>("PTTL", key);
      await redis.command("PEXPIRE", key, String(left - slowness * ms));
    }
  };
  const close = async () => {
    await Promise.all([one.close(), other.close()]);
  };
  return { store: slow(one), another: slow(other), advance, close };
}

const harnesses = {
  "on Redis": twoOnRedis,
  "on Redis, sealed": async () => {
    const { store, another, advance, close } = await twoOnRedis();
    const sealed = (inner: ElicitationStore) => sealedElicitationStore(inner, secret, () => {});
    return { store: sealed(store), another: sealed(another), advance, close };
  },
};

describe.each(Object.entries(harnesses))("what elicit() stores %s", { tags: "redis" }, (_name, open) => {
  test.each(elicitationStoreContract.map((c) => [c.name, c] as const))("%s", (_sentence, c) => c.run({ open }));
});

test("sealed on Redis, a person's answer cannot be read from any key, or with another secret", async () => {
  const { store, another, close } = await twoOnRedis();
  try {
    const key = "call-1";
    expect(await sealedElicitationStore(store, secret, () => {}).replace(key, undefined, "Ada's card number", 60_000)).toBe(true);
    const kept = await redis.command<string>("GET", `{space-${spaces}}:elicit:${key}`);
    expect(kept).toContain("s1.");
    expect(kept).not.toContain("Ada");
    const logged: string[] = [];
    const stranger = sealedElicitationStore(another, `another ${secret}`, (_level, message) => void logged.push(message));
    expect(await stranger.get(key)).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining("could not be decrypted")]);
    expect(await sealedElicitationStore(another, secret, () => {}).get(key)).toBe("Ada's card number");
  } finally {
    await close();
  }
});
