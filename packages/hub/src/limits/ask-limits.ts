import { AskboxError, type Clock, type SharedState } from "@askbox/core";
import { agentKey, type PendingLedger } from "./pending-ledger.ts";
import { rateLimit, tooOften } from "./rate-limit.ts";

/**
 * The hub's limits. Agents choose their agent ids themselves, so what is counted by token and agent id keeps honest agents of one token from
 * getting in each other's way, and what is counted by token alone holds the others.
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
  /** Requests of any kind over REST, MCP and the wire, by token, at this hub. Default 60,000. */
  requestsPerMinute?: number | undefined;
}

/** An ask that wants in. */
export interface Asking {
  owner: string;
  agentId: string | undefined;
  /** Of all that is stored of it, as JSON. */
  bytes: number;
}

/** The limits that a hub holds its askers to. */
export interface AskLimits {
  readonly requestBytes: number;
  /** Throws `PAYLOAD_TOO_LARGE`. */
  checkSize(bytes: number): void;
  /**
   * Counts an ask and holds room for it; the returned function gives the room back, once the session is opened or could not be. Nothing is
   * awaited in between, so that asks at the same moment do not all find the last place free.
   * Throws `HUB_CLOSING`, `RATE_LIMITED`, `TOO_MANY_PENDING`.
   */
  admit(asking: Asking): () => void;
  /** Counts an ask that was let in at the other hubs of the same inbox, too. Throws `RATE_LIMITED`, `STORE_UNAVAILABLE`. */
  countEverywhere(asking: Asking): Promise<void>;
}

interface AskLimitsOptions {
  limits: HubLimits;
  clock: Clock;
  pending: Omit<PendingLedger, "close">;
  /** Aborted once the hub takes no more asks. */
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
  /** Asks that were let in and are not in the store yet. */
  const entering = new Set<Asking>();

  const checkPending = ({ owner, agentId, bytes }: Asking) => {
    const ofToken = [...entering].filter((other) => other.owner === owner);
    const ofAgent = ofToken.filter((other) => other.agentId === agentId);
    const load = pending.ofToken(owner);
    const heldBytes = ofToken.reduce((sum, other) => sum + other.bytes, load.bytes);
    if (pending.ofAgent(owner, agentId) + ofAgent.length >= maxPerAgent) throw tooMany(`${maxPerAgent} of your questions are pending`);
    if (load.sessions + ofToken.length >= maxPerToken) throw tooMany(`${maxPerToken} questions of this token are pending`);
    if (heldBytes + bytes > pendingBytesPerToken) throw tooMany(`The pending questions of this token have ${heldBytes} bytes`);
  };

  return {
    requestBytes,
    checkSize(bytes) {
      if (bytes <= requestBytes) return;
      throw new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${requestBytes} bytes; this one has ${bytes}. Shorten it.`);
    },
    admit(asking) {
      const { owner, agentId } = asking;
      if (closing.aborted) throw new AskboxError("HUB_CLOSING", "The hub is closing and takes no more questions; ask again in a moment.");
      const agent = agentKey(owner, agentId);
      tokenRate.check(owner);
      agentRate.check(agent);
      tokenRate.count(owner);
      agentRate.count(agent);
      checkPending(asking);
      entering.add(asking);
      return () => void entering.delete(asking);
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

const tooMany = (what: string) => new AskboxError("TOO_MANY_PENDING", `${what}; wait for answers, or withdraw some, before you ask more.`);
