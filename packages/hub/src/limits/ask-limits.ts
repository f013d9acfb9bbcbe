import { AskboxError, type Clock, type SharedState } from "@askbox/core";
import { agentKey, type PendingLedger } from "./pending-ledger.ts";
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
