import type { Broker, Platform, SharedState } from "@askbox/core";
import type { Access, Scope, Uses } from "../auth/access.ts";
import type { Browsers } from "../auth/browsers.ts";
import { authenticate, requireScope, type Verify } from "../auth/verify.ts";
import { type AskerAccess, type AskLimits, type LimitedAsker, limitedAsker } from "../limits/ask-limits.ts";
import type { Exchange } from "../rest/exchange.ts";
import type { HubAdvice } from "./advice.ts";

/** What a hub provides to a service that is mounted on it. */
export interface MountContext {
  broker: Broker;
  platform: Platform;
  /** What the hub shares with others over the same store; undefined if it is the only one. */
  shared: SharedState | undefined;
  limits: AskLimits;
  /** The prefix of the hub's paths, such as `/askbox`; empty for a hub with its own origin. */
  basePath: string;
  /** Aborts when the hub begins to close. */
  closing: AbortSignal;
  /**
   * What a request may do; its connection is cut when its access is revoked or expires before the response. Throws `UNAUTHORIZED`, or
   * `FORBIDDEN` if its token has none of the scopes.
   */
  authorize(request: Request, ...scopes: readonly Scope[]): Promise<Access>;
  /** The logged-in browsers. */
  browsers(): Promise<Browsers>;
  /** Whether the whole response to the request was delivered; resolves when that is known. */
  delivered(request: Request): Promise<boolean>;
  /** An asker for the agents with this access, with the hub's limits applied. */
  asker(access: AskerAccess): LimitedAsker;
  /** Calls the listener for every owner whose access was revoked; remove what is stored for them. Returns a function that unsubscribes. */
  onRevoked(listener: (owner: string) => void): () => void;
}

/**
 * Paths that the embedding program serves itself. Host and Origin have been checked, and security headers are set; everything else, such as
 * tokens and body size, is up to the service.
 */
export interface Mount {
  /** Exact paths below the hub's base path, such as `/mcp`. */
  paths: readonly string[];
  /**
   * Answers a request; errors that it throws become problem documents. Each chunk of the body is requested once the system has accepted the
   * one before.
   */
  fetch(request: Request): Promise<Response>;
  /** Ends everything that is open, because the hub is closing. */
  close(): Promise<void>;
}

/** Creates a service from what the hub provides. */
export type MountService = (context: MountContext) => Mount;

interface MountParts extends Pick<MountContext, "broker" | "platform" | "shared" | "limits" | "basePath" | "closing" | "browsers"> {
  verify: Verify;
  advice: HubAdvice;
  uses: Uses;
  /** The state of a request in progress. */
  exchangeOf(request: Request): Exchange | undefined;
}

export function mountContext({ verify, advice, uses, exchangeOf, ...context }: MountParts): MountContext {
  const { broker, limits } = context;
  return {
    ...context,
    async authorize(request, ...scopes) {
      const access = await authenticate(request, verify, advice);
      requireScope(access, ...scopes);
      exchangeOf(request)?.endWith(access, uses);
      return access;
    },
    delivered: async (request) => (await exchangeOf(request)?.finished) ?? false,
    asker: (access) => limitedAsker(broker, limits, access),
    onRevoked: (listener) => uses.onEnded(listener),
  };
}
