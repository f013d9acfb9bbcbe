import { createHash, randomBytes } from "node:crypto";
import { AskboxError, type Draft, type SessionRecord } from "@askbox/core";
import type { AuditEntry } from "@askbox/core/audit";
import { draftSchema } from "@askbox/core/schemas";
import { isUndelivered, readRecord } from "@askbox/core/stores";

/**
 * How things are written in Redis: the keys, a session's first line, which scripts read, and texts and times as tokens that sort and
 * compare as they should. Hubs of several versions read the same values, so what stands here only grows.
 */

/**
 * A stored value is one line of facts for the scripts, then the record as JSON, which contains no line break. The facts of a session:
 * revision, the names of its last four writes, `P` for pending or `S` for settled, time, owner, agent, ask, scope, `1` for undelivered,
 * key, deadline, time of settling; a dash means none.
 */
export interface StoredSession {
  revision: number;
  /** The name of the write that made it: distinguishes two contents even if a revision was lost and reused. */
  write: string;
  body: string;
}

/** All facts of a session's first line except its revision and writes, which the script adds. */
export function factsOf(record: SessionRecord): string {
  const { asker, context, createdAt, closedAt, digest, key, owner, scope, state } = record;
  const isPending = state === "pending";
  return [
    isPending ? "P" : "S",
    timeToken(createdAt),
    textToken(owner),
    agentToken(asker.agentId),
    askToken(owner, scope, digest),
    textToken(scope),
    isUndelivered(record) ? "1" : "0",
    key === undefined ? "-" : nameToken(owner, key),
    isPending ? numberToken(context.deadlineAt) : "-",
    isPending ? "-" : numberToken(closedAt),
  ].join(" ");
}

/** The name of one write, by which its writer recognizes it if the reply was lost. */
export const newWrite = (): string => randomBytes(9).toString("base64url");

export function storedSession(value: string): StoredSession {
  const end = value.indexOf("\n");
  const [revision, writes = ""] = value.slice(0, Math.max(end, 0)).split(" ", 2);
  return { revision: Number(revision), write: writes.split(".", 1)[0] ?? "", body: value.slice(end + 1) };
}

export const recordOf = (body: string): SessionRecord => readRecord(jsonOf(body));

export function draftOf(value: string): Draft {
  const read = draftSchema.safeParse(jsonOf(value.slice(value.indexOf("\n") + 1)));
  if (read.success) return read.data;
  throw new AskboxError("STORE_DAMAGED", "A stored draft cannot be read; it is not valid.", { cause: read.error });
}

/** An entry of the record of approvals as script arguments; empty strings for none. */
export const entryArguments = (entry: AuditEntry | undefined): string[] =>
  entry === undefined ? ["", "", "", "", ""] : [String(entry.number), String(entry.at), entry.previous, entry.hash, entry.line];

/** The entries of a stream's reply. */
export const entriesOf = (reply: [id: string, fields: string[]][]): AuditEntry[] =>
  reply.map(([id, fields]) => {
    const [, at, , previous = "", , hash = "", , line = ""] = fields;
    return { number: Number.parseInt(id, 10), at: Number(at), previous, hash, line };
  });

/** Throws `STORE_DAMAGED`. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AskboxError("STORE_DAMAGED", "A stored record cannot be read; it is not JSON.", { cause: error });
  }
}

/** A string as used in a member: the contents of its JSON literal, which keeps lone surrogates distinct. */
export const exact = (text: string): string => JSON.stringify(text).slice(1, -1);
export const fromExact = (text: string): string => JSON.parse(`"${text}"`) as string;

const hashed = (text: string, length: number) => createHash("sha256").update(exact(text)).digest("base64url").slice(0, length);

/** 66 bits of a hash for lookups; matches are compared in full. */
export const textToken = (text: string): string => hashed(text, 11);
/** Identifies equal asks of the same asker. */
export const askToken = (owner: string, scope: string, digest: string): string => textToken(JSON.stringify([owner, scope, digest]));
export const agentToken = (agentId: string | undefined): string => (agentId === undefined ? "-".repeat(11) : textToken(agentId));

/** All 256 bits, because nothing is compared afterwards. */
export const nameToken = (owner: string, key: string): string => hashed(JSON.stringify([owner, key]), 43);

const float = new DataView(new ArrayBuffer(8));

/** A time as 16 characters that sort like the numbers. */
export function timeToken(time: number): string {
  if (!Number.isFinite(time))
    throw new AskboxError("VALIDATION", "The record cannot be stored as it is: one of its times is not a number.");
  // Negative zero would sort differently from zero.
  float.setFloat64(0, time + 0);
  const bits = float.getBigUint64(0);
  const sortable = bits >> 63n === 1n ? bits ^ 0xffff_ffff_ffff_ffffn : bits ^ 0x8000_0000_0000_0000n;
  return sortable.toString(16).padStart(16, "0");
}

export function fromTimeToken(token: string): number {
  const sortable = BigInt(`0x${token}`);
  float.setBigUint64(0, sortable >> 63n === 1n ? sortable ^ 0x8000_0000_0000_0000n : sortable ^ 0xffff_ffff_ffff_ffffn);
  return float.getFloat64(0);
}

function numberToken(time: number | null): string {
  if (time === null) return "-";
  if (!Number.isFinite(time))
    throw new AskboxError("VALIDATION", "The record cannot be stored as it is: one of its times is not a number.");
  return String(time);
}

/**
 * The keys of one space. They share a hash tag, so that in a cluster they are in one slot and a script can use them all. They are few and
 * fixed: every script receives all the keys that it uses.
 */
export interface Keys {
  /** Hash: id to head and record. */
  sessions: string;
  /** Sorted set without scores: the index of sessions. */
  index: string;
  /** Sorted set: pending ids by deadline. */
  deadlines: string;
  /** Sorted set: settled ids by time of settling. */
  closings: string;
  /** Hash: owner and key to the pending id. */
  names: string;
  /** Hash: id to draft. */
  drafts: string;
  /** Stream: the latest changes. */
  changes: string;
  /** Hash: the number of the last change. */
  meta: string;
  /** Stream: the record of approvals, by entry number. */
  audit: string;
  /** Hash: the sessions that wait to be in the search's index, to the write that they wait for. */
  searchWaiting: string;
  /** Hash: the blocks of the index, to those of their sessions that every search compares. */
  searchBlocks: string;
  /** Hash: block and part to the part; block to its sessions. */
  searchParts: string;
  /** Hash: the sessions that are in the index, to their latest block. */
  searchPlaces: string;
}

export function keysOf(prefix: string): Keys {
  const key = (name: string) => `{${prefix}}:${name}`;
  return {
    sessions: key("sessions"),
    index: key("index"),
    deadlines: key("deadlines"),
    closings: key("closings"),
    names: key("names"),
    drafts: key("drafts"),
    changes: key("changes"),
    meta: key("meta"),
    audit: key("audit"),
    searchWaiting: key("search-waiting"),
    searchBlocks: key("search-blocks"),
    searchParts: key("search-parts"),
    searchPlaces: key("search-places"),
  };
}

/** In the order in which every script expects them. */
export const keyList = (keys: Keys): string[] => [
  keys.sessions,
  keys.index,
  keys.deadlines,
  keys.closings,
  keys.names,
  keys.drafts,
  keys.changes,
  keys.meta,
  keys.audit,
  keys.searchWaiting,
  keys.searchBlocks,
  keys.searchParts,
  keys.searchPlaces,
];
