import { performance } from "node:perf_hooks";
import type { Durability } from "@askbox/core/stores";
import type { Link } from "./link.ts";
import { ConnectionLost, isElsewhere, replyCode, Unconfirmed } from "./redis-error.ts";
import type { Script } from "./scripts.ts";

/**
 * How a change becomes durable on Redis. The server's settings say what it can confirm: its disk, replicas, or neither; a write waits for
 * that with WAITAOF and WAIT, together with all that arrive meanwhile. A write whose reply was lost is sent once more under the same name,
 * by which the script knows whether it was made; one that comes too late by the server's clock is never made. So whoever gets an error
 * knows that nothing happened, or is told that it is unconfirmed.
 */

/** How long a write waits for a connection that was just lost, in ms: short gaps are waited out, outages are reported at once. */
const maxWait = 1_000;

/** A server that refuses writes is tried again while this much time is left, in ms. */
const lastTry = 50;

interface QueuedCommand {
  send(): Promise<unknown>;
  resolve(reply: unknown): void;
  reject(error: unknown): void;
}

export interface WriterOptions {
  link: Link;
  /** In ms. */
  timeout: number;
  confirmation(): Confirmation;
  /** Called when a write got less durability than expected: whether that is enough with the server's current settings. */
  isEnough(had: Confirmation): Promise<boolean>;
  /** Monotonic time in ms; default the process's. */
  now?: (() => number) | undefined;
}

/**
 * Runs the scripts that write. A write whose reply was lost is sent once more under the same name, by which the script knows whether it was
 * made; one that cannot be made in time is never made, because the server checks its own clock.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #now: () => number;
  #queue: QueuedCommand[] = [];
  #flushing = false;
  #pending = 0;
  #idle: (() => void)[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Throws `ConnectionLost` if it was not made or the result is unknown, the server's error, or `Unconfirmed`. */
  async run<Reply extends readonly [string, ...unknown[]]>(
    script: Script,
    args: readonly string[],
    keys?: readonly string[],
  ): Promise<Reply> {
    const { link, timeout } = this.#options;
    const until = this.#now() + timeout;
    let wasSent = false;
    this.#pending += 1;
    try {
      for (;;) {
        const rest = until - this.#now();
        if (rest <= 0) throw new ConnectionLost("There was no reply in time.", wasSent, link.lastError);
        // If it may have been made, retry until the time is up; a first attempt waits only briefly.
        const mayWait = wasSent ? rest : Math.min(rest, maxWait - link.awayFor);
        if (!link.isUp && !(await link.untilUp(mayWait))) throw new ConnectionLost("There is no connection.", wasSent, link.lastError);
        try {
          // In whole ms: Lua reads the number as text.
          const notAfter = String(Math.floor(link.serverTime() + rest));
          const reply = await this.#confirmed(() =>
            keys === undefined
              ? link.run<Reply>(script, [...args, notAfter], rest)
              : link.runWith<Reply>(script, keys, [...args, notAfter], rest),
          );
          if (reply[0] !== "late") return reply as Reply;
          // Either the time is up, or the server's clock was set forward.
          await link.readClock();
        } catch (error) {
          if (error instanceof ConnectionLost) wasSent ||= error.wasSent;
          else if (!isElsewhere(error)) throw error;
          else if (until - this.#now() < lastTry) throw error;
        }
      }
    } finally {
      this.#pending -= 1;
      if (this.#pending === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when nothing is being written. */
  async finished(): Promise<void> {
    if (this.#pending === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Runs it, and waits until its writes are durable; everything that arrives in the meantime shares the next wait. */
  #confirmed<Reply>(send: () => Promise<Reply>): Promise<Reply> {
    const { disk, replicas } = this.#options.confirmation();
    if (!disk && replicas === 0) return send();
    return new Promise<Reply>((resolve, reject) => {
      this.#queue.push({ send, resolve: resolve as (reply: unknown) => void, reject });
      if (!this.#flushing) void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    this.#flushing = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0);
      const written = await Promise.allSettled(batch.map(({ send }) => send()));
      const doubt = written.some(({ status }) => status === "fulfilled") ? await this.#doubt() : undefined;
      for (const [index, result] of written.entries()) {
        if (result.status === "rejected") batch[index]?.reject(result.reason);
        else if (doubt !== undefined) batch[index]?.reject(doubt);
        else batch[index]?.resolve(result.value);
      }
    }
    this.#flushing = false;
  }

  /** Why the last write is not durable yet; undefined if it is. */
  async #doubt(): Promise<unknown> {
    const { confirmation, isEnough } = this.#options;
    const wanted = confirmation();
    let had: Confirmation = { disk: false, replicas: 0 };
    try {
      had = await this.#wait(wanted);
    } catch (error) {
      // The server may refuse because its settings have changed.
      if (replyCode(error) === undefined) return error;
    }
    const isConfirmed = (had.disk || !wanted.disk) && had.replicas >= wanted.replicas;
    if (isConfirmed || (await isEnough(had))) return undefined;
    return new Unconfirmed("Redis has the change, but its disk or its replicas have not confirmed it in time.");
  }

  async #wait({ disk, replicas }: Confirmation): Promise<Confirmation> {
    const { link, timeout } = this.#options;
    const maxWait = String(Math.ceil(timeout / 2));
    const [onDisk, onReplicas] = await Promise.all([
      disk ? link.send<[number, number]>(["WAITAOF", "1", "0", maxWait]) : undefined,
      replicas > 0 ? link.send<number>(["WAIT", String(replicas), maxWait]) : undefined,
    ]);
    return { disk: (onDisk?.[0] ?? 0) >= 1, replicas: onReplicas ?? 0 };
  }
}

/** Sends one command and returns its reply; throws the server's error. */
export type Send = <Reply>(args: readonly string[]) => Promise<Reply>;

/** The server's persistence settings; what it does not report, or may not, is missing. */
export interface ServerFacts {
  /** `Redis 7.0.15`, `Valkey 8.1.0`. */
  engine: string;
  appendonly?: boolean;
  appendfsync?: "always" | "everysec" | "no";
  /** The last write to its append-only file failed. */
  appendFailed?: boolean;
  /** Whether it writes snapshots. */
  snapshots?: boolean;
  evictionPolicy?: string;
  /** Bytes; 0 for no limit. */
  maxmemory?: number;
  /** It is a replica itself, and read-only. */
  isReplica?: boolean;
  /** Connected replicas. */
  replicas?: number;
  /** The number of replicas without which the server itself rejects writes. */
  replicasNeeded?: number;
  /** Whether clients can wait for the append-only file (Redis and Valkey since 7.2). */
  canWaitForDisk: boolean;
  /** Commands that were refused, such as `CONFIG GET`. */
  refused: readonly string[];
}

/** What the writer waits for after each write, before it publishes the change. */
export interface Confirmation {
  /** `WAITAOF`: the server has it on its disk. */
  disk: boolean;
  /** `WAIT`: this many replicas have it. */
  replicas: number;
}

/** How durable accepted changes are, and how to improve that. */
export interface RedisDurability extends Durability {
  facts: ServerFacts;
  confirmation: Confirmation;
  /** One sentence per setting that weakens law 1: its effect, and what to set instead. */
  advice: readonly string[];
}

/** Reads the server's settings. Refused commands are listed in `refused` and are not errors. */
export async function readServerFacts(send: Send): Promise<ServerFacts> {
  const refused: string[] = [];
  const ask = async <Reply>(...args: string[]): Promise<Reply | undefined> => {
    try {
      return await send<Reply>(args);
    } catch (error) {
      if (!/^-?(ERR|NOPERM|WRONGTYPE)/.test((error as Error).message)) throw error;
      refused.push(args[0] === "CONFIG" ? "CONFIG GET" : args.join(" "));
      return undefined;
    }
  };
  const info = fields(await ask<string>("INFO", "server"), await ask<string>("INFO", "persistence"));
  const more = fields(await ask<string>("INFO", "memory"), await ask<string>("INFO", "replication"));
  const config = pairs(await ask<string[]>("CONFIG", "GET", "append*"), await ask<string[]>("CONFIG", "GET", "save"));
  const needed = pairs(await ask<string[]>("CONFIG", "GET", "min-replicas-to-write"));
  const waits = await ask<unknown[]>("COMMAND", "INFO", "WAITAOF");
  const facts: ServerFacts = {
    engine: engineOf(info),
    canWaitForDisk: Array.isArray(waits) ? Array.isArray(waits[0]) : isFrom72(info),
    refused: [...new Set(refused)],
  };
  const appendonly = info["aof_enabled"] === undefined ? config["appendonly"] : info["aof_enabled"] === "1" ? "yes" : "no";
  if (appendonly !== undefined) facts.appendonly = appendonly === "yes";
  const fsync = config["appendfsync"];
  if (fsync === "always" || fsync === "everysec" || fsync === "no") facts.appendfsync = fsync;
  if (info["aof_last_write_status"] !== undefined) facts.appendFailed = info["aof_last_write_status"] !== "ok";
  if (config["save"] !== undefined) facts.snapshots = config["save"] !== "";
  if (more["maxmemory_policy"] !== undefined) facts.evictionPolicy = more["maxmemory_policy"];
  if (more["maxmemory"] !== undefined) facts.maxmemory = Number(more["maxmemory"]);
  if (more["role"] !== undefined) facts.isReplica = more["role"] === "slave";
  if (more["connected_slaves"] !== undefined) facts.replicas = Number(more["connected_slaves"]);
  if (needed["min-replicas-to-write"] !== undefined) facts.replicasNeeded = Number(needed["min-replicas-to-write"]);
  return facts;
}

/**
 * What to wait for: the disk, if the server would otherwise confirm before writing, and the configured number of replicas, or one if there
 * is any.
 */
export function confirmationFor(facts: ServerFacts, replicasAsked: number | undefined): Confirmation {
  return {
    disk: facts.canWaitForDisk && facts.appendonly === true && facts.appendfsync !== "always" && facts.appendfsync !== "no",
    replicas: replicasAsked ?? Math.min(1, facts.replicas ?? 0),
  };
}

/** What the settings mean for "an answer is on disk before the person is told that it was sent". */
export function redisDurability(facts: ServerFacts, confirmation: Confirmation): RedisDurability {
  const isOnDisk = facts.appendonly === true && facts.appendFailed !== true && (facts.appendfsync === "always" || confirmation.disk);
  const isReplicated = confirmation.replicas > 0;
  const advice = adviceFor(facts, confirmation);
  const evicts = mayEvict(facts);
  const level = evicts ? "unsure" : isReplicated ? "replicated" : isOnDisk ? "disk" : keepsNothing(facts) ? "none" : "unsure";
  return {
    level,
    description: [`${facts.engine}:`, describe(facts, confirmation, isOnDisk), ...advice].join(" "),
    facts,
    confirmation,
    advice,
  };
}

function describe(facts: ServerFacts, { disk, replicas }: Confirmation, isOnDisk: boolean): string {
  const how = disk ? "WAITAOF" : "appendfsync always";
  const others = replicas === 0 ? "" : replicas === 1 ? "one replica has it (WAIT)" : `${replicas} replicas have it (WAIT)`;
  if (isOnDisk) return `every change is on its disk${others === "" ? "" : ` and ${others}`} before it is confirmed (${how}).`;
  if (others !== "") return `${others} before a change is confirmed; it does not wait for a disk.`;
  if (keepsNothing(facts)) return "sessions are in its memory only and are lost when it stops.";
  return "a change is confirmed before it is on disk.";
}

function adviceFor(facts: ServerFacts, confirmation: Confirmation): string[] {
  const advice: string[] = [];
  const { appendonly, appendfsync, evictionPolicy, refused } = facts;
  if (appendonly === false) {
    const rest = facts.snapshots === true ? "everything after its last snapshot is lost" : "everything is lost";
    advice.push(`Without an append-only file ${rest} when it restarts: set appendonly yes and appendfsync always.`);
  } else if (appendonly === true && !confirmation.disk) {
    if (appendfsync === "everysec") {
      advice.push("With appendfsync everysec its machine can lose the answers of the last two seconds: set appendfsync always.");
    }
    if (appendfsync === "no") advice.push("With appendfsync no its machine can lose the answers of half a minute: set appendfsync always.");
  }
  if (facts.appendFailed === true) advice.push("Its last write to the append-only file failed: see its log and its disk.");
  if (mayEvict(facts)) {
    advice.push(`With maxmemory-policy ${evictionPolicy} it may evict questions and answers: set maxmemory-policy noeviction.`);
  }
  const unknown = [
    ...(appendonly === undefined ? ["appendonly"] : []),
    ...(appendfsync === undefined && appendonly !== false && !confirmation.disk ? ["appendfsync"] : []),
    ...(evictionPolicy === undefined ? ["maxmemory-policy"] : []),
  ];
  if (unknown.length > 0) {
    const why = refused.length > 0 ? ` (it refuses ${refused.join(", ")} to this user)` : "";
    advice.push(`It does not say its ${unknown.join(", ")}${why}: make sure they are appendonly yes, appendfsync always and noeviction.`);
  }
  if ((facts.replicas ?? 0) > 0 && confirmation.replicas === 0) {
    advice.push("Writes do not wait for replicas (replicas=0 in the store's URL): a failover can lose the last answers.");
  }
  return advice;
}

const mayEvict = ({ evictionPolicy, maxmemory }: ServerFacts) => evictionPolicy?.startsWith("allkeys-") === true && maxmemory !== 0;
const keepsNothing = ({ appendonly, snapshots }: ServerFacts) => appendonly === false && snapshots === false;

function engineOf(info: Readonly<Record<string, string>>): string {
  const valkey = info["valkey_version"];
  if (valkey !== undefined) return `Valkey ${valkey}`;
  return info["redis_version"] === undefined ? "Redis" : `Redis ${info["redis_version"]}`;
}

/** If `COMMAND INFO` is not permitted. */
function isFrom72(info: Readonly<Record<string, string>>): boolean {
  const [major = 0, minor = 0] = (info["redis_version"] ?? "").split(".").map(Number);
  return major > 7 || (major === 7 && minor >= 2);
}

function fields(...texts: readonly (string | undefined)[]): Record<string, string> {
  const lines = texts.flatMap((text) => (text ?? "").split(/\r?\n/));
  return Object.fromEntries(
    lines.filter((line) => line.includes(":")).map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
  );
}

function pairs(...lists: readonly (readonly string[] | undefined)[]): Record<string, string> {
  // keys: Redis' own names.
  const found: Record<string, string> = {};
  for (const list of lists) {
    for (let at = 0; at + 1 < (list?.length ?? 0); at += 2) found[String(list?.[at])] = String(list?.[at + 1]);
  }
  return found;
}
