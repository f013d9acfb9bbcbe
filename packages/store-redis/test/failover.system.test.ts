/** @module-tag redis */

import type { SessionRecord } from "@askbox/core";
import { aRecord, settled } from "@askbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { openRedisStore, type RedisStore } from "../src/index.ts";
import { type RedisProcess, type Sentinels, startSentinels } from "../src/testing/index.ts";
import { briefly, collect, until } from "./support.ts";

let sentinels: Sentinels;
const stores: RedisStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await sentinels.stop();
});

async function open(options = "timeout=2000"): Promise<RedisStore> {
  const store = await openRedisStore({ url: `${sentinels.url}?${options}` });
  stores.push(store);
  return store;
}

/** A failover closes connections, including those that query its state. */
const isNow = (redis: RedisProcess, role: string) =>
  redis.command<string>("INFO", "replication").then(
    (facts) => facts.includes(role),
    () => false,
  );

/** In ms: a sentinel waits for seconds before it promotes a replica, and for more if its first try fails. */
const failover = 60_000;

const works = (store: RedisStore) =>
  until(
    () =>
      store.check().then(
        () => true,
        () => false,
      ),
    failover,
  );

const confirms = (store: RedisStore, record: SessionRecord) =>
  until(() =>
    store.insert(record).then(
      () => true,
      () => false,
    ),
  );

describe("a store whose master fails", () => {
  // promise: redis-same-guarantees
  test("continues with the replica, which has every confirmed change", async () => {
    sentinels = await startSentinels();
    const [one, other] = [await open(), await open()];
    expect(one.durability).toMatchObject({ level: "replicated", confirmation: { replicas: 1 } });
    const confirmed = new Map<string, number>();
    let isOver = false;
    const write = async (store: RedisStore, number: number) => {
      const record = aRecord({ id: `session-${number}` });
      const inserted = await store.insert(record).catch(() => undefined);
      if (inserted?.inserted !== true) return;
      confirmed.set(record.id, 1);
      if (await store.replace(settled(record), 1).catch(() => false)) confirmed.set(record.id, 2);
    };
    let next = 0;
    const writers = [one, other, one, other].map(async (store) => {
      while (!isOver) {
        await write(store, next++);
        // While it is away errors come at once, and would fill the time.
        if (confirmed.size > 50) await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    await until(() => confirmed.size > 50);
    await sentinels.master.kill();
    await until(() => isNow(sentinels.replica, "role:master"), failover);
    const before = confirmed.size;
    await until(() => confirmed.size > before + 20, failover);
    isOver = true;
    await Promise.all(writers);
    await works(other);
    for (const [id, revision] of confirmed) expect((await other.get(id))?.revision ?? 0, id).toBeGreaterThanOrEqual(revision);
    const told = collect(other);
    await works(one);
    await one.insert(aRecord({ id: "after" }));
    await until(() => briefly(told).includes("after@1"));
    expect(one.durability.confirmation.replicas).toBe(0);
  });

  test("rejects changes if the configured number of replicas do not confirm them", async () => {
    sentinels = await startSentinels();
    const store = await open("timeout=3000&replicas=1");
    // On a busy machine, a replica may need longer than that for its first one.
    await confirms(store, aRecord());
    sentinels.replica.pause();
    await expect(store.replace(settled(aRecord()), 1)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("have not confirmed it"),
      details: { unknown: true },
    });
    sentinels.replica.resume();
    await works(store);
    await confirms(store, aRecord({ id: "after" }));
    expect((await store.get(aRecord().id))?.state).toBe("answered");
  });

  test("follows a manual failover, after which the old master is a replica", async () => {
    sentinels = await startSentinels();
    const [one, other] = [await open(), await open()];
    await one.insert(aRecord());
    const told = collect(other);
    await sentinels.sentinel.command("SENTINEL", "failover", "askbox-master");
    await until(() => isNow(sentinels.master, "role:slave"), failover);
    await works(one);
    await until(() =>
      one.replace(settled(aRecord()), 1).then(
        () => true,
        () => false,
      ),
    );
    await until(() => briefly(told).includes(`${aRecord().id}@2`));
    expect((await other.get(aRecord().id))?.state).toBe("answered");
  });
});
