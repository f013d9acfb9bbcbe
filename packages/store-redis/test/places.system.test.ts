import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aRecord, durableStoreContract, settled, severalWritersContract } from "@askbox/core/testing";
import { afterEach, describe, expect, test } from "vitest";
import { openRedisBlobs } from "../src/blobs.ts";
import { inspectRedis, openRedisElicitation, openRedisShared, openRedisStore } from "../src/index.ts";
import { type RedisProcess, startCluster, startRedis } from "../src/testing/index.ts";
import { keyList, keysOf } from "../src/values.ts";

const endings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function start(settings: Record<string, string> = {}): Promise<RedisProcess> {
  const redis = await startRedis({ settings });
  endings.push(() => redis.stop());
  return redis;
}

async function open(url: string) {
  const store = await openRedisStore({ url });
  endings.push(() => store.close());
  return store;
}

describe("the Redis store", () => {
  test("keeps spaces apart: by prefix and by database", async () => {
    const { url } = await start();
    const spaces = [url, `${url}?prefix=askbox:`, `${url}?prefix=b`, url.replace(/0$/, "1")];
    const stores = await Promise.all(spaces.map(open));
    for (const [index, store] of stores.entries()) await store.insert(aRecord({ digest: `digest-${index}`, key: "k" }));
    for (const [index, store] of stores.entries()) {
      expect(await store.count({})).toBe(1);
      expect((await store.get(aRecord().id))?.digest).toBe(`digest-${index}`);
    }
    const told: string[] = [];
    stores[1]?.subscribe(({ id }) => told.push(id));
    await stores[0]?.replace(settled(aRecord({ digest: "digest-0", key: "k" })), 1);
    await stores[0]?.remove({ closedBefore: Number.MAX_SAFE_INTEGER });
    await stores[1]?.insert(aRecord({ id: "own" }));
    expect(told).toEqual(["own"]);
    expect(await Promise.all(stores.map((store) => store.count({})))).toEqual([0, 2, 1, 1]);
  });

  test("uses the keys and channels that the docs list, and no others", { tags: "redis" }, async () => {
    const redis = await start();
    const url = `${redis.url}?prefix=mine`;
    const [store, shared, elicitation, blobs] = [
      await open(url),
      await openRedisShared({ url }),
      await openRedisElicitation({ url }),
      await openRedisBlobs({ url }),
    ];
    endings.push(() => Promise.all([shared.close(), elicitation.close(), blobs.close()]).then(() => {}));
    const record = aRecord({ key: "k" });
    const entry = { number: 1, at: 1, previous: "0".repeat(64), hash: "1".repeat(64), line: "{}" };
    await store.insert(record, { entry });
    await store.insert(aRecord({ id: "other" }));
    await store.replace(settled(record), 1);
    await store.insert(aRecord({ id: "pending", key: "k" }));
    await store.putDraft({ sessionId: "pending", revision: 1, fields: {}, updatedAt: 1, by: { surface: "web" } }, 0);
    await blobs.append(
      { sessionId: "pending", id: "upload-1" },
      0,
      (async function* () {
        yield Uint8Array.of(1);
      })(),
    );
    await shared.swap("tokens", undefined, "{}", null);
    await shared.take("asks", 1, 60_000);
    await shared.subscribe("presence", () => {});
    await elicitation.replace("call", undefined, "open", 60_000);

    const page = readFileSync(join(import.meta.dirname, "../../../docs/redis.md"), "utf8");
    const rows = page.slice(page.indexOf("## In Redis")).matchAll(/^\| (`.+?`) \| /gm);
    const listed = [...rows].flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "));
    const all = [...(await redis.command<string[]>("KEYS", "*")), ...(await redis.command<string[]>("PUBSUB", "CHANNELS"))];
    // The search's index has its keys only with thousands of sessions.
    const used = new Set([...all, ...keyList(keysOf("mine"))].map((key) => key.replace(/^\{mine\}:/, "").replace(/:.*/s, ":…")));
    expect([...used].sort()).toEqual(listed.sort());
  });

  test("keeps the last changes, about 4,096, and drops those older than ten minutes with each cleanup", { tags: "redis" }, async () => {
    const redis = await start({ appendonly: "no" });
    const { changes } = keysOf("askbox");
    // Created long before the store, according to the ids that Redis derives from its clock.
    const old = `for index = 1, 300 do redis.call("XADD", KEYS[1], index .. "-1", "n", "0", "i", "old", "r", "0", "w", "-") end`;
    await redis.command("EVAL", old, "1", changes);
    const store = await open(redis.url);
    expect(await redis.command<number>("XLEN", changes)).toBe(300);
    await store.remove({ closedBefore: 0 });
    // Streams are trimmed by whole nodes of 100 entries.
    expect(await redis.command<number>("XLEN", changes)).toBeLessThan(100);
    const rounds = Array.from({ length: 50 }, (_, round) => round);
    for (const round of rounds) {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) => store.insert(aRecord({ id: `id-${round}-${index}`, digest: `d-${round}-${index}` }))),
      );
    }
    const kept = await redis.command<number>("XLEN", changes);
    expect(kept).toBeGreaterThanOrEqual(4_096);
    expect(kept).toBeLessThan(4_096 + 200);
  });

  test("removes every trace of a removed session", { tags: "redis" }, async () => {
    const redis = await start({ appendonly: "no" });
    const store = await open(redis.url);
    for (let index = 0; index < 450; index += 1) {
      const record = aRecord({ id: `session-${index}`, key: `key-${index}` });
      await store.insert(record);
      await store.replace(settled(record), 1);
    }
    expect(await store.remove({ closedBefore: Number.MAX_SAFE_INTEGER })).toBe(450);
    expect((await redis.command<string[]>("KEYS", "*")).sort()).toEqual(["{askbox}:changes", "{askbox}:meta"]);
  });

  test("stores a record with a megabyte of emoji, and publishes it", { tags: "redis" }, async () => {
    const { url } = await start();
    const [one, other] = [await open(url), await open(url)];
    const title = "👩🏽‍🚀".repeat(70_000);
    const record = aRecord({ request: { ...aRecord().request, title } });
    const received = new Promise((resolve) => other.subscribe(({ record: told }) => resolve(told)));
    await one.insert(record);
    expect(await received).toEqual(record);
    expect((await other.list({ text: "👩🏽‍🚀👩🏽‍🚀" })).sessions).toEqual([record]);
  });

  test("reads a limited part of a long history at a time, and returns a cursor", { tags: "redis" }, async () => {
    const { url } = await start({ appendonly: "no" });
    const store = await open(url);
    const filler = "x".repeat(230_000);
    for (let index = 0; index < 200; index += 1) {
      await store.insert(
        aRecord({
          id: `session-${String(index).padStart(4, "0")}`,
          createdAt: index,
          request: { ...aRecord().request, title: `${index === 3 ? "needle" : "hay"} ${filler}` },
        }),
      );
    }
    const first = await store.list({ text: "needle" });
    expect(first.sessions).toEqual([]);
    expect(first.next).toBeDefined();
    const found: string[] = [];
    let pages = 0;
    for (let cursor = first.next; cursor !== undefined; pages += 1) {
      const page = await store.list({ text: "needle", cursor });
      found.push(...page.sessions.map(({ id }) => id));
      cursor = page.next;
    }
    expect(found).toEqual(["session-0003"]);
    expect(pages).toBeLessThan(5);
  });

  test("is reached over a unix socket, as a user with minimal rights", { tags: "redis" }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "askbox-socket-"));
    endings.push(() => rmSync(folder, { recursive: true, force: true }));
    const socket = join(folder, "redis.sock");
    const redis = await start({ unixsocket: socket });
    const page = readFileSync(join(import.meta.dirname, "../../../docs/redis.md"), "utf8");
    const documented = /^ACL SETUSER askbox on >PASSWORD (.+)$/m.exec(page)?.[1]?.replaceAll("{PREFIX}", "{team}") ?? "";
    const rights = documented.split(" ").filter((right) => right !== "+config|get");
    await redis.command("ACL", "SETUSER", "askbox", "on", ">s3cret/with:odd@signs", ...rights);
    const url = `redis+unix://askbox:${encodeURIComponent("s3cret/with:odd@signs")}@${socket}?prefix=team`;
    const store = await open(url);
    await store.insert(aRecord());
    expect(await store.count({})).toBe(1);
    expect(store.durability).toMatchObject({ level: "unsure", facts: { refused: ["CONFIG GET"] } });
    expect(store.durability.description).toContain("does not say its appendfsync");
    await redis.command("ACL", "SETUSER", "askbox", "+config|get");
    expect(await inspectRedis({ url })).toMatchObject({ level: "disk", advice: [] });
    expect(store.label).toBe(`redis+unix://${socket}?prefix=team`);
    await expect(openRedisStore({ url: url.replace("prefix=team", "prefix=theirs") })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("does not let this user"),
    });
    await expect(openRedisStore({ url: url.replace("s3cret", "wrong") })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("does not accept the user and password"),
    });
  });

  test("is reached over TLS with a certificate of a private CA, but not without it", { tags: "redis" }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "askbox-tls-"));
    endings.push(() => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert, "-days", "2", ...subject], {
      stdio: "ignore",
    });
    const { port: plain } = await start();
    const tlsPort = plain + 10_000;
    await start({
      "tls-port": String(tlsPort),
      "tls-cert-file": cert,
      "tls-key-file": key,
      "tls-ca-cert-file": cert,
      "tls-auth-clients": "no",
    });
    const store = await open(`rediss://localhost:${tlsPort}?cafile=${cert}`);
    expect(await store.insert(aRecord())).toEqual({ inserted: true });
    await expect(openRedisStore({ url: `rediss://localhost:${tlsPort}` })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("says in a sentence that no server responds, or that the data belongs to another program", async () => {
    await expect(openRedisStore({ url: "redis://127.0.0.1:1" })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(/^The Redis at redis:\/\/127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/),
    });
    const redis = await start();
    await redis.command("SET", "{askbox}:sessions", "somebody else's");
    const store = await openRedisStore({ url: redis.url });
    await expect(store.insert(aRecord())).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("another prefix"),
    });
    await store.close();
  });

  test("rejects changes with a sentence when Redis is out of memory, and recovers", { tags: "redis" }, async () => {
    const redis = await start({ maxmemory: "3mb", "maxmemory-policy": "noeviction" });
    const store = await open(redis.url);
    const large = (number: number) => aRecord({ id: `session-${number}`, request: { ...aRecord().request, title: "x".repeat(200_000) } });
    let kept = 0;
    const refusal = await (async () => {
      for (; kept < 100; kept += 1) await store.insert(large(kept));
    })().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringContaining("out of memory") });
    expect(await store.count({})).toBe(kept);
    await redis.command("CONFIG", "SET", "maxmemory", "100mb");
    expect(await store.insert(large(kept))).toEqual({ inserted: true });
  });

  test("is not opened on a replica, which is read-only", { tags: "redis" }, async () => {
    const master = await start();
    const replica = await start({ replicaof: `127.0.0.1 ${master.port}` });
    await expect(openRedisStore({ url: replica.url })).rejects.toMatchObject({ message: expect.stringContaining("is a replica") });
    await expect(inspectRedis({ url: replica.url })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("reads a password from a file", { tags: "redis" }, async () => {
    const redis = await start({ requirepass: "from a file" });
    const path = join(redis.folder, "password");
    writeFileSync(path, "from a file\n");
    await expect(openRedisStore({ url: redis.url })).rejects.toMatchObject({ message: expect.stringContaining("asks for a password") });
    expect(await (await open(`${redis.url}?passwordfile=${path}`)).count({})).toBe(0);
  });
});

describe("the Redis store on a cluster", () => {
  // promise: redis-same-guarantees
  test("has all keys of a space in one slot, and passes the contract there", { tags: "redis" }, async () => {
    const cluster = await startCluster(3);
    endings.push(() => cluster.stop());
    const runs = [...durableStoreContract, ...severalWritersContract].map(async (contractCase, index) => {
      const prefix = `space-${index}`;
      const [key = "", ...others] = keyList(keysOf(prefix)).map((each) => /\{.+?\}/.exec(each)?.[0]);
      expect(new Set(others)).toEqual(new Set([key]));
      const again = () => openRedisStore({ url: `${cluster.url}?prefix=${prefix}` });
      await contractCase.run({ open: again, reopen: again });
      return Math.floor(((await cluster.nodes[0]?.command<number>("CLUSTER", "KEYSLOT", key)) ?? 0) / (16_384 / 3));
    });
    const owners = new Set(await Promise.all(runs));
    // Otherwise the test would prove nothing about a cluster.
    expect(owners.size).toBeGreaterThan(1);
  });
});
