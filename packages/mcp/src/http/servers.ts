import type { Log } from "@askbox/core";
import type { AuthInfo, McpServerFactory, RequestId, ServerNotifier } from "@modelcontextprotocol/server";
import type { Owner } from "./owner.ts";

/** Milliseconds between two comments on a stream that is silent. */
export const keepAlive = 15_000;

/** Whether the response to this request has reached its client; resolves when that is known. */
export type Written = (request: Request, id: RequestId) => Promise<boolean>;

/** How long ago, in ms, the call of a request was begun. */
export type Elapsed = (request: Request) => number;

/** Serves requests of revisions since 2026-07-28, each by itself. */
export interface ModernServer {
  /** `message` is the request's body as JSON. */
  serve(request: Request, message: unknown, auth: AuthInfo): Promise<Response>;
  close(): Promise<void>;
}

/** Options of the handler for MCP's stateless revisions. */
export interface ModernHandlerOptions {
  log: Log;
  /** Whether a call of this tool streams from the first moment. Default: every tool's does. */
  blocks?: (tool: string) => boolean;
}

export interface ModernHandler extends ModernServer {
  /** Tells clients that listen. */
  notify: ServerNotifier;
}

/** One MCP server as HTTP needs it: of both eras. */
export interface HttpMcpServer {
  factory: McpServerFactory;
  modern: ModernServer;
}

/** The MCP servers behind a fetch handler. */
export interface HttpMcpServers {
  /** The server for a request of this owner. Throws `VALIDATION` when its address is wrong. */
  serverFor(owner: Owner, request: Request): HttpMcpServer;
  /** Forgets one whose token was revoked, and ends the waits of its calls. */
  end(owner: string): void;
  /** Resolves when the calls of a request have ended, and what came of them is recorded. */
  whenOver?(request: Request): Promise<void>;
  /** Ends the calls that wait, because the hub goes away; resolves when each has its result, which may not be written yet. */
  endCalls(): Promise<void>;
  /** Ends what else is open. */
  close(): Promise<void>;
}

/** What is lent to whoever puts MCP servers on the transport; handed over, because the MCP SDK is loaded with the first request. */
export interface HttpMcpParts {
  written: Written;
  /** How long ago, in ms, the call was begun that a request takes up from another hub; 0 where it begins one. */
  elapsed: Elapsed;
  modernHandler: (factory: McpServerFactory, options: ModernHandlerOptions) => ModernHandler;
}

/** Creates the MCP servers of a fetch handler. */
export type CreateHttpMcpServers = (parts: HttpMcpParts) => HttpMcpServers;
