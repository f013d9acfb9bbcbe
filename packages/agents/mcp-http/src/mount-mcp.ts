import { AsyncLocalStorage } from "node:async_hooks";
import { AskboxError, isAskboxError, type Log, type SharedState } from "@askbox/core";
import { type Mount, type MountContext, type MountService, problemResponse } from "@askbox/hub";
import type { CallEnd, FileSource } from "@askbox/mcp";
import type { CreateHttpMcpServers, EventSubscriptions } from "@askbox/mcp/http";

/** Values that outlive this process. */
export type KeptValues = Pick<SharedState, "get" | "swap" | "close">;

export interface MountMcpOptions {
  version: string;
  /** Milliseconds, for asks without a timeout. */
  defaultTimeout: number;
  /** Called at the end of every call. */
  onCallEnd?: (end: CallEnd) => void;
  /** Called for every rejected request, with the error's code. */
  onRefused?: (code: string) => void;
  /** The files of answers, for the tool `get_files`. */
  files?: FileSource | undefined;
  /** Serves the Events extension, with webhooks if it gives their subscriptions. Default false. */
  events?: boolean | (() => Promise<EventSubscriptions>) | undefined;
  /** Called with the number of connected agents whenever it changes. */
  onAgents?: (count: number) => void;
  /**
   * Opens the storage that keeps MCP sessions of older revisions for the next hub, if this hub shares no state with others. Called with the
   * first request; if it rejects, sessions end with this hub.
   */
  openKept?: (() => Promise<KeptValues>) | undefined;
  log?: Log;
  /** Other MCP servers to serve with this transport. */
  servers?: CreateHttpMcpServers;
}

/**
 * MCP on a hub: `/mcp` for the revisions since 2025-03-26, `/sse` and `/messages` for 2024-11-05, and the metadata that tells a client that
 * it needs a token. The MCP SDK is loaded with the first request, because most hubs are started by a question that does not use it, and has
 * to wait for the start.
 */
export function mountMcp(options: MountMcpOptions): MountService {
  return (context) => {
    let loading: Promise<Omit<Mount, "paths">> | undefined;
    const { events } = options;
    // Subscriptions outlive the connections of their agents, so they end here even if no agent has come.
    if (typeof events === "function") {
      const failed = (error: unknown) => options.log?.("warn", "Subscriptions could not be ended", { error: String(error) });
      context.onRevoked((owner) => void events().then((subscriptions) => subscriptions.end(owner), failed));
    }
    return {
      paths: mcpPaths,
      async fetch(request) {
        const path = new URL(request.url).pathname.slice(context.basePath.length);
        if (metadataPaths.includes(path)) return metadataResponse(request, context.basePath);
        // What is kept for the next hub may be closed by now.
        if (context.closing.aborted) throw new AskboxError("HUB_CLOSING", "The hub is closing; send this again to the next one.");
        loading ??= load(options, context);
        return (await loading).fetch(request);
      },
      close: async () => void (await (await loading)?.close()),
    };
  };
}

async function load(options: MountMcpOptions, context: MountContext): Promise<Omit<Mount, "paths">> {
  const { version, defaultTimeout, onCallEnd, onAgents, files, events, log, servers } = options;
  const { asker, authorize, basePath, broker, limits, onRevoked, platform, shared } = context;
  const refuse = (error: AskboxError, request: Request) => {
    options.onRefused?.(error.code);
    return problemResponse(error, challenge(request, basePath, error));
  };
  const { createHttpHandler } = await import("@askbox/mcp/http");
  const kept = shared === undefined ? await openKept(options) : undefined;
  const across = shared ?? (kept && { ...kept, publish: async () => {}, subscribe: async () => () => {} });
  const handler = createHttpHandler({
    asker,
    platform,
    version,
    defaultTimeout,
    onCallEnd,
    onAgents,
    files,
    events: typeof events === "function" ? await events() : events,
    log,
    servers,
    maxBodyBytes: limits.requestBytes,
    cluster: across && { shared: across, broker, asyncContext: () => new AsyncLocalStorage() },
    onRefused: refuse,
  });
  const unsubscribe = onRevoked((owner) => handler.end(owner));
  return {
    async fetch(request) {
      try {
        const { owner, scopes, agentId, machine, shared: isShared, expiresAt } = await authorize(request, "asker");
        // The token itself is not passed on.
        const authInfo = { token: "", clientId: owner, scopes: [...scopes], extra: { agentId, machine, shared: isShared, expiresAt } };
        return await handler.fetch(request, { authInfo });
      } catch (error) {
        if (error instanceof AskboxError) return refuse(error, request);
        throw error;
      }
    },
    async close() {
      unsubscribe();
      await handler.close();
      await kept?.close();
    },
  };
}

async function openKept({ openKept, log }: MountMcpOptions): Promise<KeptValues | undefined> {
  try {
    return await openKept?.();
  } catch (error) {
    log?.("warn", "MCP sessions cannot be saved for the next hub", { error: String(error) });
    return undefined;
  }
}

/** RFC 9728: where a rejected client finds out how to authenticate, with and without the resource's own path. */
const metadataPaths: readonly string[] = ["/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];
/** Every path of MCP over HTTP. */
const mcpPaths: readonly string[] = ["/mcp", "/mcp/", "/sse", "/messages", ...metadataPaths];

/** The base URL the request was sent to. A proxy that terminates TLS reports it in its headers. */
function hubOf({ headers, url }: Request, basePath: string): string {
  const isSecure = headers.get("x-forwarded-proto") === "https" || url.startsWith("https:");
  return `${isSecure ? "https" : "http"}://${headers.get("host")}${basePath}`;
}

/** Public metadata saying that `/mcp` accepts a bearer token. It names no authorization server: the hub's owner issues the tokens. */
function metadataResponse(request: Request, basePath: string): Response {
  return Response.json({
    resource: `${hubOf(request, basePath)}/mcp`,
    resource_name: "askbox",
    bearer_methods_supported: ["header"],
    scopes_supported: ["asker"],
  });
}

/** The `WWW-Authenticate` header of a rejection (RFC 6750, RFC 9728); undefined if it is not about the token. */
export function challenge(request: Request, basePath: string, error: unknown): Record<string, string> {
  const metadata = `resource_metadata="${hubOf(request, basePath)}${metadataPaths[0]}"`;
  if (isAskboxError(error, "FORBIDDEN")) return { "www-authenticate": `Bearer error="insufficient_scope", scope="asker", ${metadata}` };
  if (!isAskboxError(error, "UNAUTHORIZED")) return {};
  // A request without a token gets no error code (RFC 6750, section 3.1).
  const known = !request.headers.has("authorization") ? "" : ', error="invalid_token"';
  return { "www-authenticate": `Bearer realm="askbox"${known}, scope="asker", ${metadata}` };
}
