import type { Durability } from "@askbox/core/stores";

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
