// How much may be asked. Every ask, over any transport, goes through `limitedAsker`: `askLimits` admits it by token and agent, or refuses it
// with `RATE_LIMITED` or `TOO_MANY_PENDING`; what is pending is counted in memory by the ledger, which follows the store.

import {
  AskboxError,
  type AskerInfo,
  type Broker,
  type Claimed,
  type Clock,
  type SessionRecord,
  type SessionStore,
  type SharedState,
} from "@askbox/core";
import type { Access } from "../auth/access.ts";
import { rateLimit, tooOften } from "./rate-limit.ts";

/**
 * The hub's limits. Agents choose their own agent ids, so the limits by token and agent id keep honest agents of one token from getting in
 * each other's way, and the limits by token alone stop the others.
 */
export interface HubLimits {
  /** By token and agent id. Default 100. */
  asksPerMinute?: number | undefined;
  /** By token. Default 10 times `asksPerMinute`. */
  asksPerMinutePerToken?: number | undefined;
  /** Pending sessions, by token and agent id. Default 1,000. */
  pending?: number | undefined;
  /** Pending sessions, by token. Default 10 times `pending`. */
  pendingPerToken?: number | undefined;
  /** Bytes of pending sessions as JSON, by token. Default 67,108,864. */
  pendingBytesPerToken?: number | undefined;
  /** Bytes of one request. Default 262,144. */
  requestBytes?: number | undefined;
  /** Bytes of memory, estimated, that the requests and connections of a token may take while they are in progress. Default 67,108,864. */
  heldBytesPerToken?: number | undefined;
  /** Requests of any kind over REST, MCP and the wire, by token, at this hub. Default 60,000. */
  requestsPerMinute?: number | undefined;
  /** Logged-in browsers; beyond this number, the least recently used one is logged out. Default 500. */
  browsers?: number | undefined;
}

/** An ask to check against the limits. */
export interface CountedAsk {
  owner: string;
  agentId: string | undefined;
  /** Size of everything stored for it, as JSON. */
  bytes: number;
}

/** Enforces the hub's limits on askers. */
export interface AskLimits {
  readonly requestBytes: number;
  /** Throws `PAYLOAD_TOO_LARGE`. */
  checkSize(bytes: number): void;
  /**
   * Counts an ask and reserves room for it; call the returned function once the session was opened, or could not be. It is synchronous, so
   * that concurrent asks cannot all take the last free place. Throws `HUB_CLOSING`, `RATE_LIMITED`, `TOO_MANY_PENDING`.
   */
  admit(ask: CountedAsk): () => void;
  /** Counts an accepted ask at the other hubs of the same inbox, too. Throws `RATE_LIMITED`, `STORE_UNAVAILABLE`. */
  countEverywhere(ask: CountedAsk): Promise<void>;
}

interface AskLimitsOptions {
  limits: HubLimits;
  clock: Clock;
  pending: Omit<PendingLedger, "close">;
  /** Aborted once the hub accepts no more asks. */
  closing: AbortSignal;
  /** Where several hubs count together. */
  shared: SharedState | undefined;
}

export function askLimits({ limits, clock, pending, closing, shared }: AskLimitsOptions): AskLimits {
  const { asksPerMinute = 100, requestBytes = 262_144, pendingBytesPerToken = 67_108_864 } = limits;
  const { asksPerMinutePerToken = 10 * asksPerMinute } = limits;
  const maxPerAgent = limits.pending ?? 1_000;
  const maxPerToken = limits.pendingPerToken ?? 10 * maxPerAgent;
  const agentRate = rateLimit(clock, asksPerMinute, ofAgents);
  const tokenRate = rateLimit(clock, asksPerMinutePerToken, ofTokens);
  /** Accepted asks that are not in the store yet. */
  const entering = new Set<CountedAsk>();

  const checkPending = ({ owner, agentId, bytes }: CountedAsk) => {
    const ofToken = [...entering].filter((other) => other.owner === owner);
    const ofAgent = ofToken.filter((other) => other.agentId === agentId);
    const load = pending.ofToken(owner);
    const heldBytes = ofToken.reduce((sum, other) => sum + other.bytes, load.bytes);
    if (pending.ofAgent(owner, agentId) + ofAgent.length >= maxPerAgent) throw tooMany(`You already have ${maxPerAgent} pending questions`);
    if (load.sessions + ofToken.length >= maxPerToken) throw tooMany(`This token already has ${maxPerToken} pending questions`);
    if (heldBytes + bytes > pendingBytesPerToken) throw tooMany(`This token's pending questions already take ${heldBytes} bytes`);
  };

  return {
    requestBytes,
    checkSize(bytes) {
      if (bytes <= requestBytes) return;
      throw new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${requestBytes} bytes; this one has ${bytes}. Shorten it.`);
    },
    admit(ask) {
      const { owner, agentId } = ask;
      if (closing.aborted) throw new AskboxError("HUB_CLOSING", "The hub is closing and accepts no more questions; ask again in a moment.");
      const agent = agentKey(owner, agentId);
      tokenRate.check(owner);
      agentRate.check(agent);
      tokenRate.count(owner);
      agentRate.count(agent);
      checkPending(ask);
      entering.add(ask);
      return () => void entering.delete(ask);
    },
    async countEverywhere({ owner, agentId }) {
      if (shared === undefined) return;
      const [ofAgent, ofToken] = await Promise.all([
        shared.take(`asks:${agentKey(owner, agentId)}`, asksPerMinute, minute),
        shared.take(`asks:${owner}`, asksPerMinutePerToken, minute),
      ]);
      if (ofAgent > 0) throw tooOften(asksPerMinute, ofAgents, ofAgent);
      if (ofToken > 0) throw tooOften(asksPerMinutePerToken, ofTokens, ofToken);
    },
  };
}

const ofAgents = { many: "asks", again: "ask" };
const ofTokens = { many: "asks with one token", again: "ask" };
const minute = 60_000;

const tooMany = (what: string) => new AskboxError("TOO_MANY_PENDING", `${what}; wait for answers, or withdraw some, before you ask again.`);

/** The part of an access that determines how its agents ask. */
export type AskerAccess = Pick<Access, "owner" | "agentId" | "machine" | "shared">;

/** The broker's asker for one token, with the hub's limits applied. */
export type LimitedAsker = ReturnType<Broker["asker"]>;

/**
 * Every ask goes through here, over any transport. A token that is bound to one agent always asks as that agent, and one of a machine from that
 * machine, whatever the agent sends.
 */
export function limitedAsker(broker: Broker, limits: AskLimits, { owner, agentId, machine, shared }: AskerAccess): LimitedAsker {
  const port = broker.asker(owner, { shared });
  const named = ({ machine: _, ...info }: AskerInfo): AskerInfo => ({
    ...info,
    ...(agentId !== undefined && { agentId }),
    ...(machine !== undefined && { machine }),
  });
  /** The resuming agent, with the token's agent id applied. */
  const claimed = <Options extends Claimed>(options: Options | undefined): Options | undefined =>
    options?.asker === undefined ? options : { ...options, asker: named(options.asker) };
  const { forms } = port;
  const news = port.news?.bind(port);
  const admitted = async (asking: Parameters<AskLimits["admit"]>[0]) => {
    const leave = limits.admit(asking);
    await limits.countEverywhere(asking).catch((error: unknown) => {
      leave();
      throw error;
    });
    return leave;
  };
  return {
    ask(request, { onOpened, ...options }) {
      const asker = named(options.asker);
      const { key, idempotencyKey } = options;
      const bytes = Buffer.byteLength(JSON.stringify({ request, asker, key, idempotencyKey }));
      // Not awaited, so that the request does not stay in memory during the wait.
      return admitted({ owner, agentId: asker.agentId, bytes }).then((leave) => {
        const opened: typeof onOpened = (one) => {
          leave();
          onOpened?.(one);
        };
        return port.ask(request, { ...options, asker, onOpened: opened }).finally(leave);
      });
    },
    resume: (id, options) => port.resume(id, claimed(options)),
    withdraw: (id, options) => port.withdraw(id, claimed(options)),
    collect: (asker) => port.collect(named(asker)),
    ...(news && { news: (asker, since) => news(named(asker), since) }),
    acknowledge: (outcomes, options) => port.acknowledge(outcomes, claimed(options)),
    release: (outcomes) => port.release(outcomes),
    ...(forms && { forms: { ...forms, answered: (id, set, options) => forms.answered(id, set, claimed(options)) } }),
    get waiting() {
      return port.waiting;
    },
    close: (how) => port.close(how),
  };
}

/** How much is pending. `bytes` is the size of the sessions as JSON: everything stored for an ask, not only its questions. */
export interface PendingLoad {
  sessions: number;
  bytes: number;
}

/** Counts of what is pending, kept in memory so that limits can be checked without waiting for the store. */
export interface PendingLedger {
  /** Of a token, across all its agent ids. */
  ofToken(owner: string): PendingLoad;
  /** Sessions of one agent id of a token; sessions without one count together. */
  ofAgent(owner: string, agentId: string | undefined): number;
  close(): void;
}

/** Maximum page size when listing the store. */
const page = 1_000;

/** Reads what is pending and then follows the store, including changes by other processes. */
export async function pendingLedger(store: SessionStore): Promise<PendingLedger> {
  const sessions = new Map<string, { owner: string; agent: string; bytes: number }>();
  const tokens = new Map<string, PendingLoad>();
  const agents = new Map<string, number>();
  /** Changes that arrive while the list is read may be newer than the list. */
  const settledMeanwhile = new Set<string>();
  let isLoading = true;

  /** A pending session grows when a person asks back and the agent replies. */
  const add = (record: SessionRecord) => {
    const { id, owner, asker } = record;
    const known = sessions.get(id);
    const agent = agentKey(owner, asker.agentId);
    const bytes = Buffer.byteLength(JSON.stringify(record));
    sessions.set(id, { owner, agent, bytes });
    const load = tokens.get(owner) ?? { sessions: 0, bytes: 0 };
    const isNew = known === undefined;
    tokens.set(owner, { sessions: load.sessions + (isNew ? 1 : 0), bytes: load.bytes + bytes - (known?.bytes ?? 0) });
    if (isNew) agents.set(agent, (agents.get(agent) ?? 0) + 1);
  };
  const drop = (id: string) => {
    if (isLoading) settledMeanwhile.add(id);
    const session = sessions.get(id);
    if (session === undefined) return;
    sessions.delete(id);
    const { owner, agent, bytes } = session;
    const load = tokens.get(owner) ?? { sessions: 1, bytes };
    if (load.sessions === 1) tokens.delete(owner);
    else tokens.set(owner, { sessions: load.sessions - 1, bytes: load.bytes - bytes });
    const left = (agents.get(agent) ?? 1) - 1;
    if (left === 0) agents.delete(agent);
    else agents.set(agent, left);
  };
  const see = (id: string, record: SessionRecord | undefined) => {
    if (record?.state === "pending") add(record);
    else drop(id);
  };

  // One after the other, so that no session appears pending after it appeared settled.
  let reading: Promise<void> = Promise.resolve();
  const unsubscribe = store.subscribe(({ id, revision, record }) => {
    if (record !== undefined || revision === 0) return see(id, record);
    reading = reading.then(async () => see(id, await store.get(id))).catch(() => {});
  });
  let cursor: string | undefined;
  do {
    const found = await store.list({ states: ["pending"], order: "oldest", limit: page, cursor });
    for (const record of found.sessions) if (!settledMeanwhile.has(record.id) && !sessions.has(record.id)) add(record);
    cursor = found.next;
  } while (cursor !== undefined);
  isLoading = false;
  settledMeanwhile.clear();

  return {
    ofToken: (owner) => tokens.get(owner) ?? { sessions: 0, bytes: 0 },
    ofAgent: (owner, agentId) => agents.get(agentKey(owner, agentId)) ?? 0,
    close: unsubscribe,
  };
}

/** One agent id of one token, as a key. */
const agentKey = (owner: string, agentId: string | undefined): string => JSON.stringify([owner, agentId ?? null]);
