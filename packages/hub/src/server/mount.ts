import type { ServerResponse } from "node:http";
import { type Broker, type Platform, type SharedState, toAskboxError } from "@askbox/core";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { Grant, Scope } from "../auth/tokens.ts";
import type { Uses } from "../auth/uses.ts";
import type { Verify } from "../auth/verify.ts";
import type { AskLimits } from "../limits/ask-limits.ts";
import { type AskerGrant, type LimitedAsker, limitedAsker } from "../limits/limited-asker.ts";
import { problemOf, respond } from "../rest/problem.ts";

/** What a hub lends to a service that is mounted on it. */
export interface MountContext {
  broker: Broker;
  platform: Platform;
  /** What the hub shares with others over the same store; undefined if it is the only one. */
  shared: SharedState | undefined;
  limits: AskLimits;
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
  /** Exact paths, such as `/mcp`. */
  paths: readonly string[];
  /** Answers a request; what it throws becomes a problem document. A chunk of the body is asked for when the system has the one before. */
  fetch(request: Request): Promise<Response>;
  /** Ends what is open, because the hub goes away. */
  close(): Promise<void>;
}

/** Makes a service of what the hub lends it. */
export type MountService = (context: MountContext) => Mount;

interface MountParts extends Pick<MountContext, "broker" | "platform" | "shared" | "limits" | "closing"> {
  verify: Verify;
  uses: Uses;
  /** The response to a request that is under way. */
  responseTo(request: Request): ServerResponse | undefined;
}

export function mountContext({ verify, uses, responseTo, ...context }: MountParts): MountContext {
  const { broker, limits } = context;
  return {
    ...context,
    async authorize(request, ...scopes) {
      const authorization = request.headers.get("authorization") ?? undefined;
      const cookie = request.headers.get("cookie") ?? undefined;
      const grant = await authenticate({ authorization, cookie }, verify);
      requireScope(grant, ...scopes);
      const outgoing = responseTo(request);
      if (outgoing !== undefined) endWith(outgoing, grant, uses);
      return grant;
    },
    asker: (grant) => limitedAsker(broker, limits, grant),
    onRevoked: (listener) => uses.onEnded(listener),
  };
}

function endWith(outgoing: ServerResponse, grant: Grant, uses: Uses): void {
  const release = uses.begin(grant, () => void outgoing.destroy());
  if (outgoing.closed) release();
  else outgoing.once("close", release);
}

/** An error as a problem document, as REST has it. Headers replace the problem's own. */
export function problemResponse(thrown: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const problem = problemOf(toAskboxError(thrown));
  return respond({ ...problem, headers: { ...problem.headers, ...headers } });
}
