import type { Broker, Platform, SharedState } from "@askbox/core";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { Grant, Scope } from "../auth/tokens.ts";
import type { Uses } from "../auth/uses.ts";
import type { Verify } from "../auth/verify.ts";
import type { AskLimits } from "../limits/ask-limits.ts";
import { type AskerGrant, type LimitedAsker, limitedAsker } from "../limits/limited-asker.ts";
import type { Exchange } from "./exchange.ts";

/** What a hub lends to a service that is mounted on it. */
export interface MountContext {
  broker: Broker;
  platform: Platform;
  /** What the hub shares with others over the same store; undefined if it is the only one. */
  shared: SharedState | undefined;
  limits: AskLimits;
  /** What the hub's paths begin with, such as `/askbox`; empty for a hub with an origin of its own. */
  basePath: string;
  /** Aborts when the hub begins to close. */
  closing: AbortSignal;
  /**
   * Whose the request is; its connection is cut when the grant is revoked or expires before it is answered. Throws `UNAUTHORIZED`, and
   * `FORBIDDEN` when its token has none of the scopes.
   */
  authorize(request: Request, ...scopes: readonly Scope[]): Promise<Grant>;
  /** How the grant's agents ask, held to the hub's limits. */
  asker(grant: AskerGrant): LimitedAsker;
  /** Tells every owner whose grant was revoked: what is kept for them is to go. Returns how to stop. */
  onRevoked(listener: (owner: string) => void): () => void;
}

/**
 * Paths that whoever embeds the hub serves itself. Host and Origin are checked before, and the security headers are set; the rest, tokens
 * and the size of bodies among it, is the service's own business.
 */
export interface Mount {
  /** Exact paths below the hub's own, such as `/mcp`. */
  paths: readonly string[];
  /** Answers a request; what it throws becomes a problem document. A chunk of the body is asked for when the system has the one before. */
  fetch(request: Request): Promise<Response>;
  /** Ends what is open, because the hub goes away. */
  close(): Promise<void>;
}

/** Makes a service of what the hub lends it. */
export type MountService = (context: MountContext) => Mount;

interface MountParts extends Pick<MountContext, "broker" | "platform" | "shared" | "limits" | "basePath" | "closing"> {
  verify: Verify;
  uses: Uses;
  /** What becomes of a request that is under way. */
  exchangeOf(request: Request): Exchange | undefined;
}

export function mountContext({ verify, uses, exchangeOf, ...context }: MountParts): MountContext {
  const { broker, limits } = context;
  return {
    ...context,
    async authorize(request, ...scopes) {
      const grant = await authenticate(request, verify);
      requireScope(grant, ...scopes);
      exchangeOf(request)?.endWith(grant, uses);
      return grant;
    },
    asker: (grant) => limitedAsker(broker, limits, grant),
    onRevoked: (listener) => uses.onEnded(listener),
  };
}
