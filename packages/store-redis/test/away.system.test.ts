import type { SessionStore } from "@askbox/core";
import { aRecord, settled } from "@askbox/core/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openRedisStore, type RedisStore } from "../src/index.ts";
import { type CutProxy, cutProxy, type RedisProcess, startRedis } from "../src/testing/index.ts";
import { briefly, collect, until } from "./support.ts";

let redis: RedisProcess;
let proxy: CutProxy;
const stores: SessionStore[] = [];
let spaces = 0;

beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await proxy?.close();
});

/** A separate space, seen by one store through a proxy that can be cut, and by another directly; `timeout` in ms is the first one's. */
async function cutOff({ timeout = 2_000 } = {}): Promise<{ far: RedisStore; near: RedisStore }> {
  spaces += 1;
  proxy = await cutProxy(redis.port);
  const far = await openRedisStore({ url: `redis://127.0.0.1:${proxy.port}?prefix=away-${spaces}&timeout=${timeout}` });
  const near = await openRedisStore({ url: `${redis.url}?prefix=away-${spaces}&timeout=30000` });
  stores.push(far, near);
  return { far, near };
}

const works = (store: RedisStore) =>
  until(() =>
    store.check().then(
      () => true,
      () => false,
    ),
  );
const records = (count: number) =>
  Array.from({ length: count }, (_, index) => aRecord({ id: `session-${String(index).padStart(4, "0")}` }));

describe("a store that is cut off from Redis", () => {
  // promise: redis-away-refuses
  test("rejects every change with a sentence, publishes none, and recovers automatically", async () => {
    const { far, near } = await cutOff();
    await far.insert(aRecord());
    const told = collect(far);
    proxy.cut();
    await until(() =>
      far.check().then(
        () => false,
        () => true,
      ),
    );
    const refused = await Promise.allSettled([far.insert(aRecord({ id: "lost" })), far.replace(settled(aRecord()), 1)]);
    for (const result of refused) {
      expect(result).toMatchObject({
        status: "rejected",
        reason: { code: "STORE_UNAVAILABLE", message: expect.stringContaining("nothing was changed") },
      });
    }
    expect(told).toEqual([]);
    proxy.fix();
    await works(far);
    expect(await near.get("lost")).toBeUndefined();
    expect((await near.get(aRecord().id))?.state).toBe("pending");
    expect(await far.replace(settled(aRecord()), 1)).toBe(true);
    expect(briefly(told)).toEqual([`${aRecord().id}@2`]);
  });

  // promise: redis-back-catches-up
  test("publishes what others changed in the meantime once it has reconnected: new, settled, and settled and removed", async () => {
    const { far, near } = await cutOff();
    const all = records(6);
    const told = collect(far);
    for (const record of all.slice(0, 4)) await near.insert(record);
    await until(() => told.length === 4);
    told.length = 0;
    proxy.cut();
    await near.replace(settled(all[0] ?? aRecord()), 1);
    await near.replace({ ...(all[1] ?? aRecord()), revision: 2, context: { deadlineAt: null } }, 1);
    const old = settled(all[2] ?? aRecord());
    await near.replace({ ...old, closedAt: 1 }, 1);
    await near.remove({ closedBefore: 2 });
    await near.insert(all[4] ?? aRecord());
    const whole = settled(all[5] ?? aRecord());
    await near.insert(all[5] ?? aRecord());
    await near.replace({ ...whole, closedAt: Date.now() }, 1);
    proxy.fix();
    await until(() => told.length >= 5);
    expect(briefly(told).sort()).toEqual(["session-0000@2", "session-0001@2", "session-0002@0", "session-0004@1", "session-0005@2"]);
  });

  test("detects a dead connection that was never closed", { tags: "redis" }, async () => {
    const { far, near } = await cutOff({ timeout: 1_000 });
    await far.insert(aRecord());
    const told = collect(far);
    proxy.stall();
    const began = performance.now();
    const refused = far.replace(settled(aRecord()), 1);
    await expect(refused).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(performance.now() - began).toBeLessThan(10_000);
    await near.replace(settled(aRecord()), 1);
    proxy.fix();
    await until(() => told.length === 1);
    expect(briefly(told)).toEqual([`${aRecord().id}@2`]);
  });
});

describe("a change whose reply was lost", () => {
  // promise: redis-change-once
  test("is recognized as made, once, by its writer", { tags: "redis" }, async () => {
    const { far, near } = await cutOff({ timeout: 5_000 });
    for (let round = 0; round < 20; round += 1) {
      const record = aRecord({ id: `round-${round}`, key: `key-${round}` });
      await works(far);
      proxy.swallowReplies();
      const inserting = far.insert(record);
      // It is stored before its writer knows.
      await until(async () => (await near.get(record.id)) !== undefined);
      proxy.fix();
      expect(await inserting).toEqual({ inserted: true });
      proxy.swallowReplies();
      const replacing = far.replace(settled(record), 1);
      await until(async () => (await near.get(record.id))?.revision === 2);
      proxy.fix();
      expect(await replacing).toBe(true);
      expect(await near.get(record.id)).toEqual(settled(record));
    }
    expect(await near.count({})).toBe(20);
  });

  // promise: redis-change-once
  test("is recognized even if others have changed the session since", async () => {
    const { far, near } = await cutOff({ timeout: 5_000 });
    await far.insert(aRecord());
    proxy.swallowReplies();
    const replacing = far.replace(settled(aRecord()), 1);
    await until(async () => (await near.get(aRecord().id))?.revision === 2);
    expect(await near.replace({ ...settled(aRecord()), revision: 3, delivery: { deliveredAt: 5 } }, 2)).toBe(true);
    proxy.fix();
    expect(await replacing).toBe(true);
    expect((await near.get(aRecord().id))?.revision).toBe(3);
  });

  // promise: redis-change-once
  test("is not mistaken for another's", async () => {
    const { far, near } = await cutOff({ timeout: 5_000 });
    await far.insert(aRecord());
    proxy.cut();
    const replacing = far.replace(settled(aRecord()), 1);
    expect(await near.replace({ ...aRecord(), revision: 2, context: { deadlineAt: null } }, 1)).toBe(true);
    proxy.fix();
    // It was either rejected at once, or arrived too late.
    expect(await replacing.catch((error: { code: string }) => error.code)).toBeOneOf([false, "STORE_UNAVAILABLE"]);
    expect((await near.get(aRecord().id))?.context.deadlineAt).toBeNull();
  });
});

describe("a Redis that is paused", { tags: "redis" }, () => {
  // promise: redis-away-refuses, redis-change-once
  test("makes no change that its writer was told is not made, and the store recovers", async () => {
    const own = await startRedis();
    try {
      const store = await openRedisStore({ url: `${own.url}?timeout=1000` });
      stores.push(store);
      await store.insert(aRecord());
      own.pause();
      const late = await Promise.allSettled(records(20).map((record) => store.insert(record)));
      expect(late.map(({ status }) => status)).toEqual(late.map(() => "rejected"));
      const [first] = late;
      expect(first).toMatchObject({ reason: { code: "STORE_UNAVAILABLE" } });
      own.resume();
      await works(store);
      // The contents of its sockets have been read by now, since a later connection was served.
      expect(await store.count({})).toBe(1);
      expect(await store.insert(aRecord({ id: "after" }))).toEqual({ inserted: true });
    } finally {
      own.resume();
      await own.stop();
    }
  });
});

describe("a Redis that is restarted", { tags: "redis" }, () => {
  // promise: redis-same-guarantees
  test("has every confirmed change, even if it is killed in the middle of them", async () => {
    const own = await startRedis();
    try {
      const store = await openRedisStore({ url: `${own.url}?timeout=1000` });
      stores.push(store);
      expect(store.durability).toMatchObject({ level: "disk", advice: [] });
      const confirmed: string[] = [];
      const writing = Promise.all(
        records(300).map(async (record) => {
          const result = await store.insert(record).catch(() => undefined);
          if (result?.inserted === true) confirmed.push(record.id);
        }),
      );
      await until(() => confirmed.length > 20);
      await own.kill();
      await writing;
      await own.start();
      await works(store);
      for (const id of confirmed) expect(await store.get(id), id).toBeDefined();
      // The scripts were lost with the server, and are sent again.
      const told = collect(store);
      expect(await store.insert(aRecord())).toEqual({ inserted: true });
      expect(await store.list({ states: ["pending"], limit: 1 })).toMatchObject({ sessions: [expect.anything()] });
      expect(briefly(told)).toContain(`${aRecord().id}@1`);
    } finally {
      await own.stop();
    }
  });

  test("that comes back without its data is read as it is, not as it was", async () => {
    const own = await startRedis({ settings: { appendonly: "no" } });
    try {
      const store = await openRedisStore({ url: `${own.url}?timeout=1000` });
      stores.push(store);
      expect(store.durability.level).toBe("none");
      for (const record of records(5)) await store.insert(record);
      const told = collect(store);
      await own.kill();
      await own.start();
      await until(() => told.length >= 5);
      expect(briefly(told).sort()).toEqual(records(5).map(({ id }) => `${id}@0`));
      // The numbering of changes starts again, but messages still arrive.
      expect(await store.insert(records(1)[0] ?? aRecord())).toEqual({ inserted: true });
      await until(() => told.length >= 6);
      expect(briefly(told).at(-1)).toBe("session-0000@1");
    } finally {
      await own.stop();
    }
  });
});
