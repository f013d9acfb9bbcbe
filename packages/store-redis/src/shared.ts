import { randomUUID } from "node:crypto";
import { AskboxError, type SharedState, silentLog } from "@askbox/core";
import { oneAtATime } from "@askbox/core/stores";
import type { Link, RedisMeter } from "./link.ts";
import { storeError } from "./redis-error.ts";
import { type RedisTarget, readRedisUrl } from "./redis-url.ts";
import { inTime, script } from "./scripts.ts";
import { RedisServer } from "./server.ts";
import { exact, newWrite } from "./values.ts";

/**
 * What hubs on one Redis share beside the sessions: values that change by compare-and-swap and may expire, counters in a window, and
 * messages to all; with the values of `elicit()`, which are the same thing for another program. Every write has a name, so that a retry
 * after a lost reply is recognized. A subscription that breaks is made again on the next connection, and messages in between are lost:
 * whoever counts on them numbers them.
 */

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

/** The stored form of a shared value: the name of the write that made it, then the JSON, which is empty for a removed value. */
const sharedValue = Object.freeze({
  key: (prefix: string, key: string, kind: string): string => `{${prefix}}:${kind}:${exact(key)}`,
  json: (value: string | undefined): string => (value === undefined ? "" : JSON.stringify(value)),
});

/** Parses a stored value. A removed one is empty for a while; an empty string has its quotes. */
function sharedValueOf(stored: string | null): string | undefined {
  const json = stored === null ? "" : stored.slice(stored.indexOf("\n") + 1);
  return json === "" ? undefined : (JSON.parse(json) as string);
}

/** How long the writer of a removal is remembered, in case its reply was lost, in ms. */
const removalsKept = 15_000;

/**
 * One key; expected, next (both as JSON, or empty for none), ttl (empty for no expiry), the name of this write, not after. A value is
 * stored with the name of the write that made it, so that a writer whose reply was lost recognizes its own. Returns `done`, `no` or `late`.
 */
const swap = script(
  "swap",
  inTime,
  `
local expected, following, ttl, write, notAfter = unpack(ARGV)
if late(notAfter) then return { 'late' } end
local stored = redis.call('GET', KEYS[1])
local by, present = '', ''
if stored then by, present = string.match(stored, '^(%S+)\\n(.*)$') end
if by == write then return { 'done' } end
if present ~= expected then return { 'no' } end
if following == '' then
  if present ~= '' then redis.call('SET', KEYS[1], write .. '\\n', 'PX', ${removalsKept}) end
elseif ttl == '' then redis.call('SET', KEYS[1], write .. '\\n' .. following)
else redis.call('SET', KEYS[1], write .. '\\n' .. following, 'PX', ttl) end
return { 'done' }`,
);

/**
 * One key; maximum number, window in ms, the name of this write, not after. Returns `done` and the ms until one more fits, 0 if it was
 * counted.
 */
const take = script(
  "take",
  inTime,
  `
local most, window, write, notAfter = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
if late(notAfter) then return { 'late' } end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.3f', now - window))
if redis.call('ZSCORE', KEYS[1], write) then return { 'done', 0 } end
if redis.call('ZCARD', KEYS[1]) >= most then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  local wait = oldest[2] and tonumber(oldest[2]) + window - now or window
  return { 'done', math.max(1, math.ceil(wait)) }
end
redis.call('ZADD', KEYS[1], string.format('%.3f', now), write)
redis.call('PEXPIRE', KEYS[1], math.ceil(window))
return { 'done', 0 }`,
);

const sharedScripts = Object.freeze({ swap, take });

/** How long a new connection may take to subscribe, in ms. */
const timeout = 5_000;
/** How often it is tested whether events arrive, and how long they may take, in ms. */
const echoEvery = 2_000;
const echoMost = 6_000;

type Listener = (message: string) => void;

interface SubscriptionsOptions {
  /** A separate connection: a subscribed one accepts no other commands. */
  link: Link;
  channelOf(topic: string): string;
  publish(topic: string, message: string): Promise<void>;
  /** Names this process's own topic. */
  self: string;
}

/** The subscriptions of this process, on the current connection. A connection that stops delivering events is replaced. */
class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** The connection on which each topic is subscribed. */
  readonly #subscribedOn = new Map<string, object>();
  readonly #echoTopic: string;
  #echoedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  readonly #inTurn = oneAtATime();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
    this.#echoTopic = `echo:${options.self}`;
  }

  async start(): Promise<void> {
    await this.add(this.#echoTopic, () => {
      this.#echoedAt = performance.now();
    });
    this.#echoedAt = performance.now();
    this.#timer = setInterval(() => this.#echo(), echoEvery);
    this.#timer.unref();
  }

  async add(topic: string, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(topic) ?? new Set();
    // The same function may subscribe twice.
    const own: Listener = (message) => listener(message);
    this.#listeners.set(topic, listeners.add(own));
    await this.#catchUp();
    return () => void listeners.delete(own);
  }

  /** Called with each new connection: subscribes as soon as it is ready. */
  connected(): void {
    this.#catchUp().catch((error) => this.#options.link.renew(error));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  #catchUp(): Promise<void> {
    return this.#inTurn(() => this.#listen());
  }

  async #listen(): Promise<void> {
    const { link, channelOf } = this.#options;
    if (!(await link.untilUp(timeout))) throw link.lastError ?? new Error("There is no connection.");
    const { client } = link;
    if (client === undefined) throw new Error("The connection broke.");
    for (const topic of this.#listeners.keys()) {
      if (this.#subscribedOn.get(topic) === client) continue;
      await client.subscribe(channelOf(topic), (message) => this.#deliver(topic, message));
      this.#subscribedOn.set(topic, client);
    }
    this.#echoedAt = performance.now();
  }

  #deliver(topic: string, message: string): void {
    for (const listener of [...(this.#listeners.get(topic) ?? [])]) {
      try {
        listener(message);
      } catch {
        // A listener that throws must not keep the event from the others.
      }
    }
  }

  #echo(): void {
    const { link, publish } = this.#options;
    if (!link.isUp) return;
    const silentFor = performance.now() - this.#echoedAt;
    publish(this.#echoTopic, "").then(
      // If nothing can be published, nothing can arrive either.
      () => silentFor > echoMost && performance.now() - this.#echoedAt > echoMost && link.renew(new Error("No messages arrive.")),
      () => {},
    );
  }
}

/** Stores what `elicit()` of `@askbox/elicit` keeps between two runs of a tool; implements its `ElicitationStore`. */
export interface RedisElicitation {
  /** The value under the key, unless there is none or it has expired. */
  get(key: string): Promise<string | undefined>;
  /**
   * Sets `next` for `ttl` ms (1 or more) if the current value is exactly `expected`; undefined means no value. Resolves with whether it
   * did.
   */
  replace(key: string, expected: string | undefined, next: string, ttl: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface RedisElicitationOptions {
  /** As for `openRedisStore`. */
  url: string;
  /** Whether the process may exit while it is open and idle. Default false. */
  background?: boolean | undefined;
}

/**
 * Stores calls that wait for a person's answer on Redis, for servers with several processes. Each value expires, and writes wait for
 * durability like those of sessions, since they contain people's answers. Throws `VALIDATION` and `STORE_UNAVAILABLE` like
 * `openRedisStore`.
 */
export async function openRedisElicitation({ url, background = false }: RedisElicitationOptions): Promise<RedisElicitation> {
  const target = readRedisUrl(url);
  const keyOf = (key: string) => sharedValue.key(target.prefix, key, "elicit");
  const server = new RedisServer({ target, keys: [keyOf("")], log: silentLog, background });
  let closed = false;
  const inStore = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The store at ${target.label} is closed; open it again.`);
    try {
      return await work();
    } catch (thrown) {
      throw storeError(thrown, target.label);
    }
  };
  try {
    await server.startWithoutFeed();
  } catch (thrown) {
    await server.close();
    throw storeError(thrown, target.label);
  }
  return {
    get: (key) => inStore(async () => sharedValueOf(await server.reader.send<string | null>(["GET", keyOf(key)]))),
    replace: (key, expected, next, ttl) =>
      inStore(async () => {
        const args = [sharedValue.json(expected), sharedValue.json(next), String(Math.max(1, Math.ceil(ttl))), newWrite()];
        const [verdict] = await server.writer.run<["done"] | ["no"]>(sharedScripts.swap, args, [keyOf(key)]);
        return verdict === "done";
      }),
    async close() {
      if (closed) return;
      closed = true;
      await server.writesFinished();
      await server.close();
    },
  };
}
