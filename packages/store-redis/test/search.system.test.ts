import { performance } from "node:perf_hooks";
import { silentLog } from "@askbox/core";
import { blockSize } from "@askbox/core/stores";
import { anAsk, aRecord, settled } from "@askbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { sameSearch } from "../../../tests/support/same-search.ts";
import { openRedisStore } from "../src/index.ts";
import { readRedisUrl } from "../src/redis-url.ts";
import { scripts } from "../src/scripts.ts";
import { SearchIndexer } from "../src/search-index.ts";
import { RedisServer } from "../src/server.ts";
import { startRedis } from "../src/testing/index.ts";
import { factsOf, keyList, keysOf, newWrite } from "../src/values.ts";
import { until } from "./support.ts";

const keys = keysOf("askbox");
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** A space whose index is made only when the test says so: until then another hub seems to make it. */
async function aSpace() {
  const redis = await startRedis({ settings: { appendonly: "no" } });
  endings.push(() => redis.stop());
  const server = new RedisServer({ target: readRedisUrl(redis.url), keys: keyList(keys), log: silentLog });
  await server.startWithoutFeed();
  endings.push(() => server.close());
  let reads = 0;
  const meter = {
    connection: () => {},
    roundTrip(connection: string) {
      if (connection === "reading") reads += 1;
    },
  };
  const open = async () => {
    const opened = await openRedisStore({ url: redis.url, meter });
    endings.push(() => opened.close());
    return opened;
  };
  const hold = async () => {
    const [seconds] = await redis.command<[string]>("TIME");
    await redis.command("HSET", keys.meta, "search-by", `another ${(Number(seconds) + 29) * 1_000}`);
  };
  await hold();
  const store = await open();
  const count = async (key: string) => redis.command<number>("HLEN", key);

  /** Makes the index until nothing is left to do, or until `before` throws, which is called before each script. */
  const index = async (before: (script: string) => Promise<void> | void = () => {}) => {
    await redis.command("HDEL", keys.meta, "search-by");
    let failed = false;
    const indexer = new SearchIndexer({
      link: server.reader,
      keys,
      pause: 0,
      log() {
        failed = true;
      },
      writer: {
        async run(script, args) {
          await before(script.name);
          return server.hastyWriter.run(script, args);
        },
      },
    });
    indexer.start();
    await until(async () => failed || (await redis.command<unknown[]>("HMGET", keys.meta, "search-from", "search-by")).join() === "end,");
    await indexer.stop();
    await hold();
  };
  return {
    redis,
    store,
    open,
    index,
    waiting: () => count(keys.searchWaiting),
    blocks: () => count(keys.searchBlocks),
    parts: () => count(keys.searchParts),
    places: () => count(keys.searchPlaces),
    /** How many commands a search sends. */
    async readsOf(text: string) {
      const before = reads;
      await store.list({ text });
      return reads - before;
    },
    /** Writes as an askbox did that doesn't know the index. */
    async insertAsBefore(id: string, title: string) {
      const record = aRecord({ id, digest: id, createdAt: 1, request: anAsk({ title }) });
      const source = scripts.insert.source.replace(/^local sessions, .*$/m, unpacked).replace(/^.*(?:'noted'|searchWaiting,).*$/gm, "");
      const args = [id, "1", newWrite(), factsOf(record), JSON.stringify(record), "", "", "", "", "", String(performance.timeOrigin * 2)];
      await redis.command("EVAL", source, String(keyList(keys).length), ...keyList(keys), ...args);
    },
  };
}

const unpacked = "local sessions, index, deadlines, closings, names, drafts, changes, meta, audit = unpack(KEYS)";

describe("a search of the Redis store", () => {
  test("that finds nothing, or something old, doesn't look through the sessions", { tags: "redis" }, async () => {
    const { store, index, readsOf, waiting, places } = await aSpace();
    const { add, addMany, compare } = sameSearch(store);
    await add("the haystack's oldest needle");
    await addMany(3 * blockSize);
    expect(await readsOf("nowhere at all")).toBeGreaterThan((3 * blockSize) / 50);
    await index();
    expect((await waiting()) + (await places())).toBe(3 * blockSize + 1);
    expect(await waiting()).toBeLessThan(blockSize);
    // The first 500 sessions, fifty at a time, the index, and those that wait.
    const few = 11 + 4 + Math.ceil((await waiting()) / 50);
    expect(await readsOf("nowhere at all")).toBeLessThanOrEqual(few);
    expect(await readsOf("needle")).toBeLessThanOrEqual(few + 1);
    expect(await readsOf("ka")).toBeLessThanOrEqual(11);
    await compare(8);
  });

  test("finds what a comparison of every text finds, while the index is made and while sessions change and go", async () => {
    const { store, index, blocks, places, waiting } = await aSpace();
    const { addMany, changeMany, compare, both } = sameSearch(store, 7);
    await addMany(2 * blockSize);
    let steps = 0;
    await index(async () => {
      steps += 1;
      if (steps % 12 !== 0) return;
      await changeMany(40);
      await compare(1);
    });
    await changeMany(100);
    await compare(12);
    expect(await blocks()).toBeGreaterThanOrEqual(1);
    await both((one) => one.remove({ closedBefore: Number.MAX_SAFE_INTEGER }));
    expect((await waiting()) + (await places())).toBe(await store.count({}));
    await addMany(2 * blockSize);
    await index();
    await compare(12);
  });

  test("finds a session that changed after the index had read it and before it was stored", { tags: "redis" }, async () => {
    const { store, index, blocks } = await aSpace();
    await sameSearch(store, 9).addMany(2 * blockSize);
    const changed: string[] = [];
    await index(async (script) => {
      if (script !== "searchFill" || changed.length > 0) return;
      for (const order of ["oldest", "newest"] as const) {
        const { sessions } = await store.list({ limit: 20, order });
        for (const before of sessions) {
          changed.push(before.id);
          await store.replace({ ...before, revision: 2, request: anAsk({ title: "The needle" }) }, 1);
        }
      }
    });
    expect(await blocks()).toBeGreaterThanOrEqual(1);
    for (const order of ["oldest", "newest"] as const) {
      expect((await store.list({ text: "needle", order })).sessions.map(({ id }) => id).sort()).toEqual(changed.toSorted());
    }
  });

  test("finds all after a hub died at any step of the index, and what it left is removed", { tags: "redis" }, async () => {
    const { store, index, blocks, parts } = await aSpace();
    const { addMany, changeMany, compare } = sameSearch(store, 3);
    await addMany(2 * blockSize);
    const steps = ["searchClaim", "searchBegin", "searchFill", "searchPlace", "searchPlace", "searchDisplace", "searchDrop"];
    for (const [nth, step] of steps.entries()) {
      let seen = 0;
      // Before it for the first time, later between two of them.
      await index((script) => {
        if (script !== step) return;
        seen += 1;
        if (seen > nth % 3) throw new Error("It died.");
      });
      await changeMany(20);
      await compare(1);
    }
    await addMany(2 * blockSize);
    await index();
    await compare(8);
    // Those that were left, two of which are looked at with each block.
    expect(await blocks()).toBeLessThanOrEqual(5);
    expect(await parts()).toBeLessThanOrEqual(257 * (await blocks()));
  });

  test("finds all in a space from before the index, and what hubs without it write beside", async () => {
    const { redis, store, open, index, insertAsBefore, readsOf, blocks } = await aSpace();
    const { addMany, compare } = sameSearch(store, 5);
    await addMany(2 * blockSize);
    await redis.command("DEL", keys.searchWaiting, keys.searchBlocks, keys.searchParts, keys.searchPlaces);
    await redis.command("HDEL", keys.meta, "noted", "search-basis", "search-from");
    await compare(4);
    await index();
    await compare(4);
    expect(await blocks()).toBe(2);
    const other = await open();
    await insertAsBefore("old", "the needle of another");
    expect((await other.list({ text: "needle" })).sessions.map(({ id }) => id)).toEqual(["old"]);
    await index();
    expect((await other.list({ text: "needle" })).sessions.map(({ id }) => id)).toEqual(["old"]);
    expect(await readsOf("needle")).toBeLessThan(20);
  });

  test("keeps no blocks of sessions that are gone, and finds those that are left of them", { tags: "redis" }, async () => {
    const { store, index, blocks, parts, places, waiting } = await aSpace();
    const { addMany, both, compare } = sameSearch(store, 13);
    await addMany(2 * blockSize);
    await index();
    for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
      const page = await store.list({ limit: 1_000, cursor });
      const others = page.sessions.filter((_, number) => number % 10 > 0);
      await Promise.all(others.map((record) => both((one) => one.replace({ ...settled(record), revision: 2 }, 1))));
      cursor = page.next;
    }
    await both((one) => one.remove({ closedBefore: Number.MAX_SAFE_INTEGER }));
    const left = await store.count({});
    expect((await places()) + (await waiting())).toBe(left);
    await addMany(3 * blockSize);
    await index();
    expect((await places()) + (await waiting())).toBe(left + 3 * blockSize);
    await compare(8);
    expect(await blocks()).toBeLessThanOrEqual(3);
    expect(await parts()).toBeLessThanOrEqual(257 * 3);
  });
});
