import { fakeClock, testDigest } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { type KeyValue, keyValueElicitationStore, memoryElicitationStore, sealedElicitationStore } from "../src/index.ts";
import { elicitationStoreContract } from "../src/testing/index.ts";

const secret = "a secret that is long enough for a key";
const hour = 3_600_000;

/** A minimal key-value service, whose every operation takes a turn of the event loop. */
function keyValue(): KeyValue & { advance(ms: number): Promise<void>; entries: Map<string, { value: string; until: number }> } {
  const entries = new Map<string, { value: string; until: number }>();
  let now = 0;
  const read = (key: string) => {
    const found = entries.get(key);
    return found === undefined || found.until <= now ? null : found.value;
  };
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    entries,
    advance: async (ms) => {
      now += ms;
    },
    async get(key) {
      await turn();
      return read(key);
    },
    async set(key, value, ttl) {
      await turn();
      entries.set(key, { value, until: now + ttl });
    },
    async add(key, value, ttl) {
      await turn();
      if (read(key) !== null) return false;
      entries.set(key, { value, until: now + ttl });
      return true;
    },
  };
}

const harnesses = {
  memory: async () => {
    const clock = fakeClock();
    return { store: memoryElicitationStore(clock), advance: (ms: number) => clock.advance(ms) };
  },
  "memory, sealed": async () => {
    const clock = fakeClock();
    const inner = memoryElicitationStore(clock);
    const sealed = () => sealedElicitationStore(inner, secret, () => {});
    return { store: sealed(), another: sealed(), advance: (ms: number) => clock.advance(ms) };
  },
  "key-value": async () => {
    const service = keyValue();
    const store = () => keyValueElicitationStore(service, { digest: testDigest });
    return { store: store(), another: store(), advance: (ms: number) => service.advance(ms) };
  },
};

describe.each(Object.entries(harnesses))("a store in %s", (_name, open) => {
  test.each(elicitationStoreContract.map((c) => [c.name, c] as const))("%s", (_sentence, c) => c.run({ open }));
});

describe("a sealed store", () => {
  const sealed = () => {
    const inner = memoryElicitationStore(fakeClock());
    const logged: string[] = [];
    const with_ = (secret: string | Uint8Array) => sealedElicitationStore(inner, secret, (_level, message) => void logged.push(message));
    return { inner, logged, store: with_(secret), with_ };
  };

  test("stores nothing readable", async () => {
    const { inner, store } = sealed();
    await store.replace("elicit-1", undefined, "Ada's card number", hour);
    expect(await inner.get("elicit-1")).toMatch(/^s1\.[A-Za-z0-9+/=]+$/);
    expect(atob((await inner.get("elicit-1"))?.slice(3) ?? "")).not.toContain("Ada");
  });

  test("never encrypts the same text to the same bytes", async () => {
    const { inner, store } = sealed();
    await store.replace("elicit-1", undefined, "same", hour);
    await store.replace("elicit-2", undefined, "same", hour);
    expect(await inner.get("elicit-1")).not.toBe(await inner.get("elicit-2"));
  });

  test("treats a modified value as unknown, and logs it", async () => {
    const { inner, logged, store } = sealed();
    await store.replace("elicit-1", undefined, "text", hour);
    const before = (await inner.get("elicit-1")) ?? "";
    const middle = Math.floor(before.length / 2);
    const changed = before.slice(0, middle) + (before[middle] === "A" ? "B" : "A") + before.slice(middle + 1);
    await inner.replace("elicit-1", before, changed, hour);
    expect(await store.get("elicit-1")).toBeUndefined();
    expect(logged).toEqual([expect.stringContaining("could not be decrypted")]);
  });

  test("treats a value moved to another key as unknown", async () => {
    const { inner, store } = sealed();
    await store.replace("elicit-1", undefined, "text", hour);
    await inner.replace("elicit-2", undefined, (await inner.get("elicit-1")) ?? "", hour);
    expect(await store.get("elicit-2")).toBeUndefined();
  });

  test("treats a value written with another secret, or none, as unknown", async () => {
    const { inner, store, with_ } = sealed();
    await store.replace("elicit-1", undefined, "text", hour);
    await inner.replace("elicit-2", undefined, "plain", hour);
    expect(await with_("another secret that is long enough too").get("elicit-1")).toBeUndefined();
    expect(await store.get("elicit-2")).toBeUndefined();
  });

  test("rejects a secret that is too short", () => {
    const { with_ } = sealed();
    expect(() => with_("short")).toThrow(/at least 32 bytes/);
    expect(() => with_(new Uint8Array(31))).toThrow(/at least 32 bytes/);
  });
});
