import type { IncomingMessage, ServerResponse } from "node:http";
import type { Broker, Platform, SharedState } from "@askbox/core";
import { AskboxError, toAskboxError } from "@askbox/core";
import { authenticate, requireScope } from "../auth/bearer.ts";
import type { Grant, Scope } from "../auth/tokens.ts";
import type { Uses } from "../auth/uses.ts";
import type { Verify } from "../auth/verify.ts";
import type { AskLimits } from "../limits/ask-limits.ts";
import { type LimitedAsker, limitedAsker } from "../limits/limited-asker.ts";
import { problemOf } from "../rest/problem.ts";

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
  authorize(incoming: IncomingMessage, ...scopes: readonly Scope[]): Promise<Grant>;
  /** How the grant's agents ask, held to the hub's limits. */
  asker(grant: Pick<Grant, "owner" | "agentId">): LimitedAsker;
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
  /** Answers a request; what it throws becomes a problem document. */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  /** Ends what is open, because the hub goes away. */
  close(): Promise<void>;
}

/** Makes a service of what the hub lends it. */
export type MountService = (context: MountContext) => Mount;

interface MountParts extends Pick<MountContext, "broker" | "platform" | "shared" | "limits" | "closing"> {
  verify: Verify;
  uses: Uses;
  /** The response to a request that is under way. */
  responseTo(incoming: IncomingMessage): ServerResponse | undefined;
}

export function mountContext({ verify, uses, responseTo, ...context }: MountParts): MountContext {
  const { broker, limits } = context;
  return {
    ...context,
    async authorize(incoming, ...scopes) {
      const { authorization, cookie } = incoming.headers;
      const grant = await authenticate({ authorization, cookie }, verify);
      requireScope(grant, ...scopes);
      const outgoing = responseTo(incoming);
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

/** Answers an error as a problem document, as REST does; a response that has begun is cut. Headers replace the problem's own. */
export function refuse(outgoing: ServerResponse, thrown: unknown, headers: Readonly<Record<string, string>> = {}): void {
  if (outgoing.headersSent) return void outgoing.destroy();
  const problem = problemOf(toAskboxError(thrown));
  outgoing.writeHead(problem.status, { ...problem.headers, ...headers }).end(JSON.stringify(problem.body));
}

/** The request's body as text. Throws `PAYLOAD_TOO_LARGE` as soon as it is, and `ABORTED` when the client goes away. */
export async function readBody(incoming: IncomingMessage, limits: AskLimits): Promise<string> {
  limits.checkSize(Number(incoming.headers["content-length"] ?? 0));
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // What is too much is read on and dropped by Node: a connection that is cut instead would take the answer along.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      limits.checkSize(bytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AskboxError) throw error;
    throw new AskboxError("ABORTED", "The client went away before its request was complete.", { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}
