import { randomUUID } from "node:crypto";
import { AskboxError, type SharedState, silentLog } from "@askbox/core";
import type { RedisMeter } from "../link.ts";
import { storeError } from "../redis-error.ts";
import { type RedisTarget, readRedisUrl } from "../redis-url.ts";
import { RedisServer } from "../server.ts";
import { exact, newWrite } from "../values.ts";
import { sharedScripts } from "./shared-scripts.ts";
import { sharedValue, sharedValueOf } from "./shared-value.ts";
import { Subscriptions } from "./subscriptions.ts";

/** More than the length of a write's name, with which a stored value begins. */
const longestName = 63;

/** Options of the state that hubs share through Redis. */
export interface RedisSharedOptions {
  /** The same as the store's; see `readRedisUrl`. */
  url: string;
  /** Told of its connections and commands. */
  meter?: RedisMeter | undefined;
}

/**
 * What several hubs over one space share in addition to their store: leases and events, which do not wait for the disk, and entries that
 * never expire, which do. Logs nothing, since the store already logs the server's state. Throws `VALIDATION` and `STORE_UNAVAILABLE` like
 * `openRedisStore`.
 */
export async function openRedisShared({ url, meter }: RedisSharedOptions): Promise<SharedState> {
  return openSharedAt(readRedisUrl(url), meter);
}

async function openSharedAt(target: RedisTarget, meter: RedisMeter | undefined): Promise<SharedState> {
  const { label } = target;
  const keyOf = (key: string, kind = "shared") => sharedValue.key(target.prefix, key, kind);
  // Channels are not separated by database.
  const channelOf = (topic: string) => `{${target.prefix}}:news:${target.database}:${exact(topic)}`;
  const server = new RedisServer({ target, keys: [keyOf("")], log: silentLog, meter });
  const { hastyWriter, reader, writer } = server;
  let closed = false;

  const inShared = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The shared state at ${label} is closed; open it again.`);
    try {
      return await work();
    } catch (thrown) {
      throw storeError(thrown, label);
    }
  };
  const publish = async (topic: string, message: string) => {
    await reader.send<number>(["PUBLISH", channelOf(topic), message]);
  };
  const subscriptions = new Subscriptions({ link: server.feedLink, channelOf, publish, self: randomUUID() });

  try {
    await server.start(() => subscriptions.connected());
    await subscriptions.start();
  } catch (thrown) {
    subscriptions.close();
    await server.close();
    throw storeError(thrown, label);
  }

  return {
    get: (key) => inShared(async () => sharedValueOf(await reader.send<string | null>(["GET", keyOf(key)]))),

    getNewer: (key, version) =>
      inShared(async () => {
        const beginning = await reader.send<string>(["GETRANGE", keyOf(key), "0", String(longestName)]);
        if (beginning.slice(0, beginning.indexOf("\n") + 1) === version) return undefined;
        const stored = await reader.send<string | null>(["GET", keyOf(key)]);
        return { version: stored?.slice(0, stored.indexOf("\n") + 1) ?? "", value: sharedValueOf(stored) };
      }),

    swap: (key, expected, next, ttl) =>
      inShared(async () => {
        const args = [
          sharedValue.json(expected),
          sharedValue.json(next),
          ttl === null ? "" : String(Math.max(1, Math.ceil(ttl))),
          newWrite(),
        ];
        const [verdict] = await (ttl === null ? writer : hastyWriter).run<["done"] | ["no"]>(sharedScripts.swap, args, [keyOf(key)]);
        return verdict === "done";
      }),

    take: (key, most, window) =>
      inShared(async () => {
        const args = [String(most), String(window), newWrite()];
        const [, wait] = await hastyWriter.run<["done", number]>(sharedScripts.take, args, [keyOf(key, "count")]);
        return wait;
      }),

    publish: (topic, message) => inShared(() => publish(topic, message)),

    subscribe: (topic, listener) => inShared(() => subscriptions.add(topic, listener)),

    async close() {
      if (closed) return;
      closed = true;
      subscriptions.close();
      await server.writesFinished();
      await server.close();
    },
  };
}
