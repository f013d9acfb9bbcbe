import type { Broker, Log, SharedState } from "@askbox/core";
import {
  type AuthInfo,
  createMcpHandler,
  InMemoryServerEventBus,
  type McpServerFactory,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type ServerNotifier,
} from "@modelcontextprotocol/server";

/**
 * What an HTTP endpoint needs of whoever mounts it: the servers of an owner, who the owner is, and other processes that serve the same sessions.
 * And the SDK's handler for revision 2026-07-28.
 */

/** Milliseconds between keep-alive comments on an idle stream. */
export const keepAlive = 15_000;

/** Whether the response to this request has reached its client; resolves when that is known. */
export type Written = (request: Request, id: RequestId) => Promise<boolean>;

/** The age of a request's call, in ms. */
export type Elapsed = (request: Request) => number;

/** Serves requests of revisions since 2026-07-28, which are stateless. */
export interface ModernServer {
  /** `message` is the parsed body of the request. */
  serve(request: Request, message: unknown, auth: AuthInfo): Promise<Response>;
  close(): Promise<void>;
}

/** Options of the handler for MCP's stateless revisions. */
export interface ModernHandlerOptions {
  log: Log;
  /** Whether a call of this tool is streamed from the start. Default: yes. */
  blocks?: ((tool: string) => boolean) | undefined;
}

export interface ModernHandler extends ModernServer {
  /** Notifies subscribed clients. */
  notify: ServerNotifier;
}

/** An MCP server for HTTP, for both eras. */
export interface HttpMcpServer {
  factory: McpServerFactory;
  modern: ModernServer;
}

/** The MCP servers behind a fetch handler. */
export interface HttpMcpServers {
  /** The server for a request of this owner. Throws `VALIDATION` if its URL is invalid. */
  serverFor(owner: Owner, request: Request): HttpMcpServer;
  /** Drops an owner whose token was revoked, and ends the waits of its calls. */
  end(owner: string): void;
  /** Resolves when the calls of a request have ended, and their deliveries are recorded. */
  whenOver?(request: Request): Promise<void>;
  /** Ends waiting calls, because the hub is closing; resolves when each has its result, which may not be written yet. */
  endCalls(): Promise<void>;
  /** Closes everything else. */
  close(): Promise<void>;
}

/** What other MCP servers get to use the transport; passed as an argument, because the MCP SDK is loaded with the first request. */
export interface HttpMcpParts {
  written: Written;
  /** The age of a call that a request resumes from another hub, in ms; 0 for a new call. */
  elapsed: Elapsed;
  modernHandler: (factory: McpServerFactory, options: ModernHandlerOptions) => ModernHandler;
}

/** Creates the MCP servers of a fetch handler. */
export type CreateHttpMcpServers = (parts: HttpMcpParts) => HttpMcpServers;

/** The owner of calls. */
export interface Owner {
  owner: string;
  /** The only agent id of the owner's token, if it is bound to one. */
  agentId?: string;
  /** The machine that the token belongs to, if that is not the hub's own. */
  machine?: string;
  /** All agents with this token may resume each other's sessions. */
  shared?: boolean;
  /** Wall time in ms; what its agents have subscribed to ends then. */
  expiresAt?: number;
}

/** The owner of unauthenticated requests. */
export const anybody = "anybody";

/** The owner in a request's authentication: its `clientId`, `extra.agentId`, `extra.machine`, `extra.shared` and `extra.expiresAt`. */
export function ownerOf({ clientId, extra }: AuthInfo): Owner {
  const [agentId, machine, expiresAt] = [extra?.["agentId"], extra?.["machine"], extra?.["expiresAt"]];
  return {
    owner: clientId,
    ...(typeof agentId === "string" && { agentId }),
    ...(typeof machine === "string" && { machine }),
    ...(extra?.["shared"] === true && { shared: true }),
    ...(typeof expiresAt === "number" && { expiresAt }),
  };
}

/** Carries a value through async calls, like Node's `AsyncLocalStorage`. */
export interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  getStore(): Value | undefined;
}

/** Lets several processes serve the same MCP sessions of older revisions: concurrently over one store, or one after another. */
export interface McpCluster {
  /** If there is only one process at a time, `publish` and `subscribe` may do nothing. */
  shared: Pick<SharedState, "get" | "swap" | "publish" | "subscribe">;
  /** This process's id. */
  broker: Pick<Broker, "id" | "isAlive" | "released">;
  /** `() => new AsyncLocalStorage()` in Node. */
  asyncContext<Value>(): AsyncContext<Value>;
}

/**
 * Revision 2026-07-28 with the SDK's handler. A call that waits for a person is streamed from the start, since it may take any time.
 * Everything else is answered with the HTTP status of its outcome: on a stream it would always be 200.
 */
export function modernHandler(factory: McpServerFactory, { log, blocks = () => true }: ModernHandlerOptions): ModernHandler {
  const shared = {
    legacy: "reject",
    keepAliveMs: keepAlive,
    bus: new InMemoryServerEventBus(),
    onerror: ({ message }: Error) => log("debug", message),
  } as const;
  const streaming = createMcpHandler(factory, { ...shared, responseMode: "sse" });
  const prompt = createMcpHandler(factory, { ...shared, responseMode: "auto" });
  return {
    serve(request, message, authInfo) {
      const tool = calledTool(message);
      const handler = tool !== undefined && blocks(tool) ? streaming : prompt;
      return handler.fetch(request, { authInfo, parsedBody: message });
    },
    close: async () => void (await Promise.all([streaming.close(), prompt.close()])),
    notify: prompt.notify,
  };
}

/** Whether the message names its revision, which no message of an older one does. */
export function claimsRevision(message: unknown): boolean {
  const { params } = Object(message) as { params?: unknown };
  const { _meta } = Object(params) as { _meta?: unknown };
  return !Array.isArray(message) && Object.hasOwn(Object(_meta), PROTOCOL_VERSION_META_KEY);
}

/** The name of the tool that the message calls. */
export function calledTool(message: unknown): string | undefined {
  const { method, params } = Object(message) as { method?: unknown; params?: unknown };
  const { name } = Object(params) as { name?: unknown };
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}
