import { AskboxError, type Clock, type Log, type Platform, silentLog, standardPlatform } from "@askbox/core";
import * as z from "zod";
import { type ElicitationOptions, type ElicitIdProblem, elicitIdError } from "../question.ts";
import type { ClientFacts } from "../sdk.ts";
import { redisElicitationStore } from "../store/redis.ts";
import { type ElicitationStore, memoryElicitationStore, sealedElicitationStore } from "../store/store.ts";

/**
 * The calls of a server that wait for an answer, each taken once: an answer that is sent twice, too late, by another caller or for other
 * arguments is refused, with a code for each case.
 */

/** How long an expired question is remembered, in ms, so that a late answer gets the right error. */
const remembered = 3_600_000;

const answerSchema = z.object({
  /** Digest of what was asked. */
  asked: z.string(),
  message: z.string(),
  status: z.preprocess((status) => (status === "timedOut" ? "timed_out" : status), z.enum(["accept", "decline", "cancel", "timed_out"])),
  content: z.unknown().optional(),
  by: z.string(),
});
/** An earlier answer, for later runs of the tool. Older versions stored `timedOut`. */
export type StoredAnswer = z.infer<typeof answerSchema>;

const openSchema = z.object({
  schema: z.literal(1),
  state: z.literal("open"),
  owner: z.string(),
  tool: z.string(),
  /** As sent. */
  args: z.unknown(),
  /** Digest of tool and arguments. */
  call: z.string(),
  via: z.enum(["client", "model"]),
  asked: z.string(),
  message: z.string(),
  ttl: z.number(),
  /** Wall time. */
  expiresAt: z.number(),
  answers: z.array(answerSchema),
  /** Results of `once`, by name. */
  done: z.record(z.string(), z.object({ value: z.unknown().optional() })),
});
/** A call that waits for its next answer. */
export type OpenCall = z.infer<typeof openSchema>;

const usedSchema = z.object({ schema: z.literal(1), state: z.literal("used"), owner: z.string(), tool: z.string() });
const recordSchema = z.union([openSchema, usedSchema]);

interface CallBook {
  /** Stores a call until its question is answered. */
  open(elicitId: string, call: OpenCall): Promise<void>;
  /**
   * Takes a waiting call, once: nobody else gets it. `expired` means that its time is over; with `evenExpired` it is returned all the same.
   * Throws `ELICITATION_UNKNOWN`, `ELICITATION_FOREIGN`, `ELICITATION_USED`, `ELICITATION_EXPIRED`.
   */
  take(elicitId: string, by: Claimant): Promise<{ call: OpenCall; expired: boolean }>;
  /** Puts back what was taken, because the answer could not be used. */
  putBack(elicitId: string, call: OpenCall): Promise<void>;
}

/** The caller that wants to take a call. */
interface Claimant {
  owner: string;
  via: OpenCall["via"];
  /** The digest that the call must have; omitted if the elicitId alone identifies it. */
  call?: string;
  evenExpired?: boolean;
}

function createCallBook({ store, clock, log }: { store: ElicitationStore; clock: Clock; log: Log }): CallBook {
  const used = ({ owner, tool }: OpenCall) =>
    JSON.stringify({ schema: 1, state: "used", owner, tool } satisfies z.infer<typeof usedSchema>);
  const ttlOf = ({ expiresAt }: OpenCall) => Math.max(0, expiresAt - clock.now()) + remembered;
  return {
    async open(elicitId, call) {
      await store.replace(elicitId, undefined, JSON.stringify(call), ttlOf(call));
    },
    async take(elicitId, { owner, via, call: digest, evenExpired = false }) {
      const refuse = (code: ElicitIdProblem, tool?: string) => elicitIdError(code, elicitId, tool);
      const text = await store.get(elicitId);
      const found = text === undefined ? undefined : read(text, log);
      if (text === undefined || found === undefined) throw refuse("ELICITATION_UNKNOWN");
      // Checked first, since another caller must not learn its state.
      if (found.owner !== owner) throw refuse("ELICITATION_FOREIGN");
      if (found.state === "used") throw refuse("ELICITATION_USED", found.tool);
      if (found.via !== via) throw refuse("ELICITATION_UNKNOWN");
      if (digest !== undefined && digest !== found.call) throw refuse("ELICITATION_FOREIGN");
      const expired = found.expiresAt <= clock.now();
      if (expired && !evenExpired) throw refuse("ELICITATION_EXPIRED", found.tool);
      if (!(await store.replace(elicitId, text, used(found), ttlOf(found)))) throw refuse("ELICITATION_USED", found.tool);
      return { call: found, expired };
    },
    async putBack(elicitId, call) {
      await store.replace(elicitId, used(call), JSON.stringify(call), ttlOf(call));
    },
  };
}

function read(text: string, log: Log): z.infer<typeof recordSchema> | undefined {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    log("warn", "A stored question could not be read and counts as unknown");
    return undefined;
  }
}

/** What the calls of one server share. */
export interface Host {
  /** The client's capabilities from the handshake. */
  client: ClientFacts;
  options: ElicitationOptions;
  platform: Platform;
  log: Log;
  book: CallBook;
  /** Identifies this connection if nothing else does. */
  connection: string;
}

/**
 * Shared by servers without a store of their own, one per clock: over HTTP a server is created for each request, and the next one must find
 * what the last one asked. Keys are random, so that unrelated servers in one process do not collide.
 */
const sharedStores = new WeakMap<Platform["clock"], ElicitationStore>();
let ownPlatform: Platform | undefined;

function sharedStore(clock: Platform["clock"]): ElicitationStore {
  const store = sharedStores.get(clock) ?? memoryElicitationStore(clock);
  sharedStores.set(clock, store);
  return store;
}

export function createHost(client: ClientFacts, options: ElicitationOptions): Host {
  ownPlatform ??= standardPlatform(globalThis);
  const { platform = ownPlatform, log = silentLog, secret, redis } = options;
  const { clock } = platform;
  if (options.store !== undefined && redis !== undefined) throw new AskboxError("VALIDATION", "Give store or redis, not both.");
  const store = options.store ?? (redis === undefined ? sharedStore(clock) : redisElicitationStore(redis));
  const sealed = secret === undefined ? store : sealedElicitationStore(store, secret, log);
  return {
    client,
    options,
    platform,
    log,
    book: createCallBook({ store: sealed, clock, log }),
    connection: platform.ids.session(),
  };
}
