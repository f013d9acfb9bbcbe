import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { AskRequest } from "@askbox/core";
import { aRecord } from "@askbox/core/testing";
import { openRedisStore } from "@askbox/store-redis";
import { type RedisProcess, startRedis } from "@askbox/store-redis/testing";
import { createClient } from "@redis/client";
import { againstFloor, type BenchRow, interleave, median } from "./harness.ts";
import { startHub } from "./parts/start-hub.ts";

const rounds = 300;
/** Milliseconds of silence before each measurement, of the floor as of askbox: a person answers into silence. */
const idle = 20;
const seconds = 5;
/** Asks that are under way at each hub. */
const atOnce = 32;
const stored = 100_000;
/** A set of questions of 650 bytes; no two that are asked are equal, since an equal one would join what is pending. */
const request = (what: string): AskRequest => ({
  title: what,
  questions: [{ id: "q", type: "confirm", question: `${what}: go on? ${"because ".repeat(70)}`, required: true }],
  timeout: 1_800_000,
});

/** What many hubs over one Redis cost beside what Redis costs alone. */
export async function bench(): Promise<BenchRow[]> {
  const rows = [await acrossHubs()];
  for (const hubs of [1, 2, 3]) rows.push(await asksASecond(hubs));
  rows.push(await space());
  return rows;
}

async function onRedis<Result>(settings: Record<string, string>, work: (redis: RedisProcess) => Promise<Result>): Promise<Result> {
  const redis = await startRedis({ settings });
  try {
    return await work(redis);
  } finally {
    await redis.stop();
  }
}

/** So many hubs over one Redis, each in a process of its own. */
async function startHubs(count: number, url: string) {
  const hubs = await Promise.all(Array.from({ length: count }, () => startHub(url)));
  return { hubs, close: () => Promise.all(hubs.map((hub) => hub.close())) };
}

/** From the moment one hub gives an answer to Redis to the moment a client of another hub has it. Neither waits for a disk, as pub/sub does not. */
function acrossHubs(): Promise<BenchRow> {
  return onRedis({ appendfsync: "everysec" }, async (redis) => {
    const feed = await startFeed(redis.port);
    const { hubs, close } = await startHubs(2, redis.url);
    try {
      const [first, second] = hubs;
      if (first === undefined || second === undefined) throw new Error("There are no two hubs.");
      const { asker } = await first.connect("asker");
      const { desk } = await second.connect("desk");
      const arrived: { id: string; at: bigint }[] = [];
      const cycle = async () => {
        const { session } = await asker.ask(request(`Step ${arrived.length}`), {
          asker: { client: { name: "bench", version: "1" } },
          maxWait: 0,
        });
        const outcome = asker.resume(session.id);
        await pause(idle);
        const began = performance.now();
        const answered = desk.answer(session.id, { answers: [{ questionId: "q", values: ["yes"] }] });
        const { ack } = await outcome;
        arrived.push({ id: session.id, at: process.hrtime.bigint() });
        const took = performance.now() - began;
        await answered;
        // As clients do; what is not acknowledged is looked through by every later call.
        await ack();
        return took;
      };
      const { floor } = await interleave(rounds, { floor: feed.roundTrip, askbox: cycle });
      const answeredAt = await second.ask("answeredAt");
      const latencies = arrived.slice(-rounds).map(({ id, at }) => Number(at - BigInt(answeredAt[id] ?? 0)) / 1e6);
      const name = "answer given to Redis by one hub to result at another's client, p50; floor: pub/sub there and back";
      return againstFloor({ id: "redis-answer", name, floor: median(floor), askbox: median(latencies), unit: "ms" }, { atMost: 4 });
    } finally {
      await close();
      await feed.close();
    }
  });
}

async function startFeed(port: number): Promise<{ roundTrip(): Promise<number>; close(): Promise<void> }> {
  const child = fork(join(import.meta.dirname, "parts/feed-process.ts"), [String(port)], {
    execArgv: ["--conditions=askbox-source"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await once(child, "message");
  const socket = { host: "127.0.0.1", port };
  const [listening, speaking] = [createClient({ socket }), createClient({ socket })];
  await Promise.all([listening.connect(), speaking.connect()]);
  let received = Promise.withResolvers<void>();
  await listening.subscribe("back", () => received.resolve());
  const message = "x".repeat(600);
  return {
    async roundTrip() {
      await pause(idle);
      received = Promise.withResolvers<void>();
      const began = performance.now();
      await speaking.publish("there", message);
      await received.promise;
      return performance.now() - began;
    },
    async close() {
      listening.destroy();
      speaking.destroy();
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}

/** Questions that are opened a second, beside how many of the same Redis' one thread could take: what each costs it in CPU time. */
function asksASecond(count: number): Promise<BenchRow> {
  return onRedis({ appendfsync: "everysec" }, async (redis) => {
    const { hubs, close } = await startHubs(count, redis.url);
    try {
      const askers = await Promise.all(hubs.map(async (hub) => (await hub.connect("asker")).asker));
      let number = 0;
      let asked = 0;
      let isOver = false;
      const ask = async (hub: number, lane: number) => {
        const asker = { client: { name: "bench", version: "1" }, agentId: `agent-${hub}-${lane}` };
        while (!isOver) {
          number += 1;
          await askers[hub]?.ask(request(`Ask ${number}`), { asker, maxWait: 0 });
          asked += 1;
        }
      };
      const lanes = askers.flatMap((_, hub) => Array.from({ length: atOnce }, (_, lane) => ask(hub, lane)));
      await pause(1_000);
      const [before, cpuBefore, began] = [asked, await mainThread(redis), performance.now()];
      await pause(seconds * 1_000);
      const [after, cpuAfter, ended] = [asked, await mainThread(redis), performance.now()];
      isOver = true;
      await Promise.all(lanes);
      const rate = (after - before) / ((ended - began) / 1_000);
      // Hubs wait for Node and, on a small machine, for each other: the bound shows what has become several times dearer.
      const floor = (after - before) / (cpuAfter - cpuBefore);
      const name = `asks a second with ${count} ${count === 1 ? "hub" : "hubs"}; floor: by Redis' CPU time for the same commands`;
      return againstFloor({ id: `redis-asks-${count}`, name, floor, askbox: rate, unit: "1/s" }, { atLeast: 0.03 });
    } finally {
      await close();
    }
  });
}

/** Seconds of CPU of the thread that runs commands. */
async function mainThread(redis: RedisProcess): Promise<number> {
  const facts = await redis.command<string>("INFO", "cpu");
  const of = (kind: string) => Number(new RegExp(`used_cpu_${kind}_main_thread:([\\d.]+)`).exec(facts)?.[1] ?? Number.NaN);
  return of("user") + of("sys");
}

/** Redis' memory for pending sessions, beside their records' own bytes. */
function space(): Promise<BenchRow> {
  return onRedis({ appendonly: "no" }, async (redis) => {
    const store = await openRedisStore({ url: redis.url });
    const record = (number: number) =>
      aRecord({
        id: `${number}`.padStart(26, "0"),
        digest: `digest-${number}`,
        createdAt: 1_700_000_000_000 + number,
        request: request(`Space ${String(number).padStart(6, "0")}`),
      });
    const used = async () => Number(/used_memory_dataset:(\d+)/.exec(await redis.command<string>("INFO", "memory"))?.[1]);
    const fill = (from: number, to: number) =>
      Promise.all(Array.from({ length: to - from }, (_, index) => store.insert(record(from + index))));
    // The feed is full, and every buffer has grown, before the count begins.
    for (let at = 0; at < 10_000; at += 1_000) await fill(at, at + 1_000);
    const before = await used();
    for (let at = 10_000; at < 10_000 + stored; at += 1_000) await fill(at, at + 1_000);
    const bytes = ((await used()) - before) / stored;
    await store.close();
    const own = Buffer.byteLength(JSON.stringify(record(10_000)));
    const name = `memory of a pending session in Redis, ${stored} of them; floor: its record as JSON`;
    return againstFloor({ id: "redis-space", name, floor: own, askbox: bytes, unit: "bytes", tolerance: 0.15 }, { atMost: 3 });
  });
}
