import { performance } from "node:perf_hooks";
import type { Log } from "@askbox/core";
import { backOff } from "@askbox/core/transport";
import { createClient } from "@redis/client";
import { ConnectionLost, isElsewhere, replyCode } from "./redis-error.ts";
import type { Address, Credentials, RedisTarget } from "./redis-url.ts";
import type { Script } from "./scripts.ts";

/**
 * A connection to Redis that comes back: it is found again wherever the server is now (alone, behind sentinels, or the slot's node of a
 * cluster), with pauses that grow. Nothing waits in it. A command fails at once while it is away, and `ConnectionLost` says whether it may
 * have been sent; what to do then is for its caller.
 */

/** Extra time for a command's reply to arrive, in ms. */
const replyMargin = 1_000;
const pauses = { first: 50, max: 2_000 };

/** What connections to Redis report, such as for metrics. `connection` is one of a few names. Must not throw. */
export interface RedisMeter {
  /** A connection was made or lost. */
  connection(connection: string, isUp: boolean): void;
  /** A command's reply arrived, or failed to, after so many ms. */
  roundTrip(connection: string, milliseconds: number): void;
}

export interface LinkOptions {
  target: RedisTarget;
  keys: readonly string[];
  /** Its purpose, for the log. */
  purpose: string;
  log: Log;
  /** Whether the process may exit while it is open. */
  background?: boolean | undefined;
  /** Called with each new connection before it is used; if it fails, the connection is closed. */
  onUp?: ((link: Link) => Promise<void>) | undefined;
  meter?: Partial<RedisMeter> | undefined;
}

/**
 * One connection that is reestablished whenever it breaks, wherever the server is by then. Nothing is queued while disconnected: a command
 * is sent or rejected at once, and a command without a reply closes the connection.
 */
export class Link {
  readonly #options: LinkOptions;
  #client: Client | undefined;
  /** The connection is set up and ready for use. */
  #ready = false;
  #closed = false;
  #downSince = performance.now();
  #connecting: Promise<void> | undefined;
  #waiting: (() => void)[] = [];
  /** How far the server's clock is ahead of this process's monotonic one, in ms. */
  #ahead = 0;
  #lastError: Error | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#ready && this.#client?.isReady === true;
  }

  /** How long it has been disconnected, in ms; 0 while connected. */
  get awayFor(): number {
    return this.isUp ? 0 : performance.now() - this.#downSince;
  }

  get lastError(): Error | undefined {
    return this.#lastError;
  }

  /** The server's clock, in ms since the epoch. */
  serverTime(): number {
    return performance.now() + this.#ahead;
  }

  /** Makes the first connection; throws if it fails. */
  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Resolves with whether it is connected within `ms` milliseconds. */
  async untilUp(timeout: number): Promise<boolean> {
    if (this.isUp || this.#closed || timeout <= 0) return this.isUp;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeout);
    this.#waiting.push(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== resolve);
    return this.isUp;
  }

  /** Sends one command. Throws `ConnectionLost`, or the server's error. */
  async send<Reply>(args: readonly string[], timeout = this.#options.target.timeout): Promise<Reply> {
    const client = this.#client;
    if (client === undefined || !client.isReady) throw new ConnectionLost("There is no connection.", false, this.#lastError);
    const { purpose, meter } = this.#options;
    const began = performance.now();
    const overdue = setTimeout(
      () => this.#drop(client, new Error(`No reply to ${args[0]} within ${timeout + replyMargin} ms.`)),
      timeout + replyMargin,
    );
    try {
      return await client.sendCommand<Reply>(args);
    } catch (error) {
      if (replyCode(error) === undefined) {
        this.#drop(client, error);
        throw new ConnectionLost("The connection broke.", true, error);
      }
      if (isElsewhere(error)) this.#drop(client, error);
      throw error;
    } finally {
      clearTimeout(overdue);
      meter?.roundTrip?.(purpose, performance.now() - began);
    }
  }

  /** Runs a script; sends its text only if the server does not have it yet. */
  async run<Reply>(script: Script, args: readonly string[], timeout?: number): Promise<Reply> {
    return this.runWith(script, this.#options.keys, args, timeout);
  }

  async runWith<Reply>(script: Script, keys: readonly string[], args: readonly string[], timeout?: number): Promise<Reply> {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await this.send<Reply>(["EVALSHA", script.sha, ...rest], timeout);
    } catch (error) {
      if (replyCode(error) !== "NOSCRIPT") throw error;
      return this.send<Reply>(["EVAL", script.source, ...rest], timeout);
    }
  }

  /** Reads the server's clock again. */
  async readClock(): Promise<void> {
    const [seconds, microseconds] = await this.send<[string, string]>(["TIME"]);
    this.#ahead = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - performance.now();
  }

  /** The client itself, for its special features, while connected. */
  get client(): Client | undefined {
    return this.isUp ? this.#client : undefined;
  }

  /** Closes the current connection, so that a new one is made. */
  renew(reason: Error): void {
    if (this.#client !== undefined) this.#drop(this.#client, reason);
  }

  close(): void {
    this.#closed = true;
    const client = this.#client;
    this.#client = undefined;
    if (client?.isOpen) client.destroy();
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async #connect(): Promise<void> {
    const { target, keys, onUp } = this.#options;
    const address = await locate(target, keys[0] ?? target.prefix);
    const client = createClientOf(address, target, target.credentials, target.database);
    try {
      await connectTo(client, target.timeout, (error) => this.#drop(client, error));
      if (this.#closed) throw new ConnectionLost("It is closed.", false);
      this.#client = client;
      // A server that is still loading its data refuses this, and so does a replica that has lost its master.
      await this.send(["PING"]);
      await this.readClock();
      await onUp?.(this);
      if (!client.isReady) throw new ConnectionLost("The connection broke.", false, this.#lastError);
    } catch (error) {
      if (this.#client === client) this.#client = undefined;
      if (client.isOpen) client.destroy();
      throw error;
    }
    if (this.#options.background) client.unref();
    this.#ready = true;
    this.#lastError = undefined;
    this.#options.meter?.connection?.(this.#options.purpose, true);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #drop(client: Client, reason: unknown): void {
    if (client.isOpen) client.destroy();
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#lastError = reason instanceof Error ? reason : new Error(String(reason));
    // During setup, that fails anyway.
    if (!this.#ready || this.#closed) return;
    this.#ready = false;
    this.#downSince = performance.now();
    const { log, purpose, target, meter } = this.#options;
    meter?.connection?.(purpose, false);
    log("warn", "The connection to Redis is lost", { purpose, store: target.label, error: this.#lastError.message });
    this.#connecting ??= this.#reconnect().finally(() => {
      this.#connecting = undefined;
    });
  }

  async #reconnect(): Promise<void> {
    const { log, purpose, target, background } = this.#options;
    for (let tries = 0; !this.#closed && !this.isUp; tries += 1) {
      // Full jitter, so that many hubs do not reconnect at the same moment.
      const most = backOff(pauses, tries);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, tries === 0 ? 0 : most * (0.5 + Math.random() / 2));
        if (background) timer.unref();
      });
      if (this.#closed) return;
      try {
        await this.#connect();
        log("info", "The connection to Redis is back", {
          purpose,
          store: target.label,
          away: Math.round(performance.now() - this.#downSince),
        });
      } catch (error) {
        this.#lastError = error instanceof Error ? error : new Error(String(error));
      }
    }
  }
}

type Options = Parameters<typeof createClient>[0] & { RESP: 2 };
export type Client = ReturnType<typeof createClientOf>;

/** A client that neither reconnects nor queues: what it cannot send at once is rejected. */
function createClientOf(address: Address, target: RedisTarget, credentials: Credentials, database: number) {
  const place = "path" in address ? { path: address.path } : { host: address.host, port: address.port };
  const { tls } = target;
  const secure =
    tls === undefined ? {} : { tls: true as const, ...withoutUndefined({ ...tls, servername: tls.servername ?? hostNameOf(address) }) };
  const options = {
    socket: { ...place, ...secure, reconnectStrategy: false, connectTimeout: target.timeout, noDelay: true, keepAlive: true },
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: "disabled",
    name: "askbox",
    database,
    ...withoutUndefined(credentials),
  } as Options;
  return createClient<Record<never, never>, Record<never, never>, Record<never, never>, 2>(options);
}

/** Connects within the time, or throws and leaves nothing open. */
export async function connectTo(client: Client, timeout: number, onError: (error: Error) => void): Promise<void> {
  client.on("error", onError);
  const timer = setTimeout(() => client.destroy(), timeout);
  try {
    await client.connect();
  } finally {
    clearTimeout(timer);
  }
}

/** The current server of this target: the master named by sentinels, the node that has the space's slot, or the given server. */
async function locate(target: RedisTarget, slotKey: string): Promise<Address> {
  const [first] = target.seeds;
  if (first === undefined) throw new Error("The URL names no server.");
  if (target.kind === "single") return first;
  const credentials = target.kind === "sentinel" ? target.sentinelCredentials : target.credentials;
  const problems: string[] = [];
  // Starts with a different one each time, so that a broken one does not delay everybody.
  const start = Math.floor(Math.random() * target.seeds.length);
  for (const seed of [...target.seeds.slice(start), ...target.seeds.slice(0, start)]) {
    const client = createClientOf(seed, target, credentials, 0);
    try {
      await connectTo(client, target.timeout, () => {});
      const found = target.kind === "sentinel" ? await masterOf(client, target.master) : await ownerOf(client, slotKey, seed);
      if (found !== undefined) return found;
      problems.push("it knows none");
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    } finally {
      if (client.isOpen) client.destroy();
    }
  }
  const whom = target.kind === "sentinel" ? `No sentinel names a master ${target.master}` : "No node of the cluster can be asked";
  throw new Error(`${whom}: ${problems.join("; ")}`);
}

async function masterOf(sentinel: Client, name: string): Promise<Address | undefined> {
  const reply = await sentinel.sendCommand<[string, string] | null>(["SENTINEL", "get-master-addr-by-name", name]);
  return reply === null ? undefined : { host: reply[0], port: Number(reply[1]) };
}

type SlotRange = [from: number, to: number, master: [host: string | null, port: number, ...unknown[]], ...unknown[]];

async function ownerOf(node: Client, slotKey: string, seed: Address): Promise<Address | undefined> {
  const slot = await node.sendCommand<number>(["CLUSTER", "KEYSLOT", slotKey]);
  const ranges = await node.sendCommand<SlotRange[]>(["CLUSTER", "SLOTS"]);
  const owner = ranges.find(([from, to]) => from <= slot && slot <= to)?.[2];
  if (owner === undefined) return undefined;
  const [host, port] = owner;
  // A node that does not know its own address means the one under which it was reached.
  return { host: host || ("host" in seed ? seed.host : "127.0.0.1"), port };
}

const hostNameOf = (address: Address) =>
  "host" in address && /[a-z]/i.test(address.host) && !address.host.includes(":") ? address.host : undefined;

function withoutUndefined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, setting]) => setting !== undefined)) as Partial<Value>;
}
