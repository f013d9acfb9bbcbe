import {
  type AskRequest,
  type Broker,
  createBroker,
  memoryStore,
  type SessionStore,
  type SharedState,
  standardPlatform,
} from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { openRedisShared, openRedisStore } from "@askbox/store-redis";
import { type RedisProcess, startRedis } from "@askbox/store-redis/testing";

export type StoreName = "memory" | "redis";

/** One hub of the simulation: the real broker over a real store. */
export interface SimulatedHub {
  broker: Broker;
  store: SessionStore;
  close(): Promise<void>;
}

/** A store that hubs can be started over. */
export interface Scene {
  redis: RedisProcess | undefined;
  hub(): Promise<SimulatedHub>;
  close(): Promise<void>;
}

export const platform = standardPlatform(globalThis);

export async function openScene(name: StoreName): Promise<Scene> {
  if (name === "memory") {
    const store = memoryStore();
    const hub = async () => {
      const broker = await createBroker({ ...platform, store });
      return { broker, store, close: () => broker.close() };
    };
    return { redis: undefined, hub, close: () => store.close() };
  }
  const redis = await startRedis({ settings: { appendfsync: "everysec" } });
  const hub = async () => {
    const store = await openRedisStore({ url: redis.url });
    const shared: SharedState = await openRedisShared({ url: redis.url });
    const broker = await createBroker({ ...platform, store, hubs: severalHubs(shared) });
    const close = async () => {
      await broker.close();
      await shared.close();
      await store.close();
    };
    return { broker, store, close };
  };
  return { redis, hub, close: () => redis.stop() };
}

/** A set of questions of about 650 bytes as JSON; no two are equal. */
export function request(number: number): AskRequest {
  const text = `Which database should service ${String(number).padStart(8, "0")} use? ${"because ".repeat(50)}`;
  const options = [
    { label: "SQLite", value: "sqlite" },
    { label: "Postgres", value: "postgres" },
  ];
  return {
    title: `Service ${number}`,
    questions: [{ id: "q", type: "select", question: text, required: true, options, allowOther: false }],
    timeout: 1_800_000,
  };
}

/** Runs `work` for 0 to `count` − 1, at most `atOnce` at a time. */
export async function each(count: number, atOnce: number, work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const number = next;
      next += 1;
      await work(number);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
}

/** Bytes of live heap, after collecting garbage twice: what the first frees may hold more. */
export function liveHeap(): number {
  if (globalThis.gc === undefined) throw new Error("The simulation needs --expose-gc.");
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

/** Bytes that Redis has for data. */
export async function redisBytes(redis: RedisProcess): Promise<number> {
  return Number(/used_memory_dataset:(\d+)/.exec(await redis.command<string>("INFO", "memory"))?.[1]);
}
