import type { Log } from "@askbox/core";
import type { AuthInfo, McpServerFactory, RequestId, ServerNotifier } from "@modelcontextprotocol/server";
import type { Owner } from "./owner.ts";

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
