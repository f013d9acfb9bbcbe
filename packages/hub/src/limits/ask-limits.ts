import { AskboxError, type Clock } from "@askbox/core";
import { rateLimit } from "./rate-limit.ts";

/** The hub's limits, each counted by token and agent id. */
export interface HubLimits {
  /** Default 100. */
  asksPerMinute?: number;
  /** Pending sessions; default 1,000. */
  pending?: number;
  /** Bytes of one request; default 262,144. */
  requestBytes?: number;
}

/** How many sessions of a token, and of an agent id if it has one, are pending. */
export type CountPending = (owner: string, agentId: string | undefined) => Promise<number>;

export interface AskLimits {
  readonly requestBytes: number;
  /** Throws `PAYLOAD_TOO_LARGE`. */
  checkSize(bytes: number): void;
  /** Counts an ask before it is opened. Throws `PAYLOAD_TOO_LARGE`, `RATE_LIMITED`, `TOO_MANY_PENDING`. */
  checkAsk(owner: string, agentId: string | undefined, bytes: number): Promise<void>;
}

export function askLimits(limits: HubLimits, clock: Clock, countPending: CountPending): AskLimits {
  const { asksPerMinute = 100, pending = 1_000, requestBytes = 262_144 } = limits;
  const rate = rateLimit(clock, asksPerMinute, { many: "asks", again: "ask" });
  const checkSize = (bytes: number) => {
    if (bytes <= requestBytes) return;
    throw new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${requestBytes} bytes; this one has ${bytes}. Shorten it.`);
  };
  return {
    requestBytes,
    checkSize,
    async checkAsk(owner, agentId, bytes) {
      checkSize(bytes);
      rate.take(JSON.stringify([owner, agentId ?? null]));
      if ((await countPending(owner, agentId)) < pending) return;
      throw new AskboxError(
        "TOO_MANY_PENDING",
        `${pending} of your questions are pending; wait for answers, or withdraw some, before you ask more.`,
      );
    },
  };
}
