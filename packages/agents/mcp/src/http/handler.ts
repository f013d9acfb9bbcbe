import { AskboxError, type Log, type Platform, silentLog, standardPlatform } from "@askbox/core";
import { type AuthInfo, isLegacyRequest, type RequestId } from "@modelcontextprotocol/server";
import type { CallEnd, FileSource } from "../options.ts";
import { asTaskListen, refusedListen } from "../tasks.ts";
import { createAskServers } from "./ask-servers.ts";
import { OpenAgents, type OwnedAsker } from "./askers.ts";
import { McpExchange } from "./exchange.ts";
import { LegacyEndpoint } from "./legacy-endpoint.ts";
import { readMessage, responseOf } from "./messages.ts";
import {
  anybody,
  type CreateHttpMcpServers,
  calledTool,
  claimsRevision,
  type McpCluster,
  modernHandler,
  type Owner,
  ownerOf,
} from "./servers.ts";
import { SseEndpoint } from "./sse-endpoint.ts";
import type { EventSubscriptions } from "./subscriptions.ts";

/** How long running calls may take to return when the handler closes, in ms. */
const shutdownGrace = 1_000;
/** The maximum length of client input in the log, in characters. */
const maxLogged = 100;
const nobody: AuthInfo = { token: "", clientId: anybody, scopes: [] };

/** Options of the fetch handler for MCP over HTTP. */
export interface HttpHandlerOptions {
  /** The asker for all questions, or one for each owner. Closed with the handler, so that waiting calls return. */
  asker: OwnedAsker | ((owner: Owner) => OwnedAsker);
  /** The server's version, as reported to clients. */
  version: string;
  /** Default `standardPlatform(globalThis)`. */
  platform?: Platform | undefined;
  /** Milliseconds, for asks without a timeout: 10,000–1,800,000. Default 300,000. */
  defaultTimeout?: number | undefined;
  /** Maximum size of a request, in bytes. Default 262,144. */
  maxBodyBytes?: number | undefined;
  /** If several processes over one store serve the same sessions. */
  cluster?: McpCluster | undefined;
  /** Called at the end of every call. */
  onCallEnd?: ((end: CallEnd) => void) | undefined;
  /** The files of answers, which the tool `get_files` shows; without it, there is no such tool. */
  files?: FileSource | undefined;
  /** Serves the Events extension, with webhooks where there are subscriptions. Default false. */
  events?: boolean | EventSubscriptions | undefined;
  /** Called with the number of connected agents whenever it changes. */
  onAgents?: ((count: number) => void) | undefined;
  /** The response to a rejected request. Default: a JSON-RPC error with a suitable HTTP status. */
  onRefused?: ((error: AskboxError, request: Request) => Response) | undefined;
  log?: Log | undefined;
  /** Other MCP servers to serve with this transport. */
  servers?: CreateHttpMcpServers | undefined;
}

/** MCP over HTTP as a fetch handler. */
export interface HttpHandler {
  /**
   * Answers a request for any path: `/sse` and `/messages` at the end of a path with revision 2024-11-05, every other with Streamable HTTP.
   * It checks neither token, `Host` nor `Origin`; `authInfo` identifies the owner, by `clientId` and `extra.agentId`. Never rejects with an
   * `AskboxError`.
   */
  fetch(request: Request, options?: { authInfo?: AuthInfo | undefined }): Promise<Response>;
  /** Ends the sessions and waits of an owner whose token was revoked. */
  end(owner: string): void;
  /** Makes every waiting call return, and closes what is open, within about a second. */
  close(): Promise<void>;
}

/**
 * Serves askbox's tools over MCP for every revision: 2024-11-05 with SSE, sessions from 2025-03-26 on, and without since 2026-07-28.
 *
 * @example
 * ```ts
 * import { type Broker, standardPlatform } from "@askbox/core";
 * import { createHttpHandler } from "@askbox/mcp/http";
 *
 * export const mcp = (broker: Broker) =>
 *   createHttpHandler({ asker: ({ owner }) => broker.asker(owner), platform: standardPlatform(globalThis), version: "1.0.0" });
 * ```
 */
export function createHttpHandler(options: HttpHandlerOptions): HttpHandler {
  const { asker, version, defaultTimeout = 300_000, maxBodyBytes = 262_144, cluster, onCallEnd, onRefused = responseOf } = options;
  const { platform = standardPlatform(globalThis), log = silentLog, files, events } = options;
  const confirmations = new WeakMap<Request, (id: RequestId) => Promise<boolean>>();
  const begun = new WeakMap<Request, number>();
  const elapsed = (request: Request) => Math.max(0, platform.clock.now() - (begun.get(request) ?? platform.clock.now()));
  const written = async (request: Request, id: RequestId) => (await confirmations.get(request)?.(id)) ?? false;
  const servers =
    options.servers?.({ written, elapsed, modernHandler }) ??
    createAskServers({ asker, platform, version, defaultTimeout, written, elapsed, onCallEnd, files, events, log });
  const agents = new OpenAgents(options.onAgents);
  const legacy = new LegacyEndpoint({
    platform,
    servers,
    cluster,
    agents,
    log,
    onCall(request, session, begunAt) {
      confirmations.set(request, (id) => session.written(id));
      if (begunAt !== undefined) begun.set(request, begunAt);
    },
  });
  // A stream's own transport knows what it has sent.
  const sse = new SseEndpoint({ platform, servers, onOpened: (request) => confirmations.set(request, async () => true) });
  /** Exchanges with a call. */
  const calls = new Set<Promise<void>>();

  const serveModern = async (exchange: McpExchange, message: unknown, auth: AuthInfo) => {
    const refused = refusedListen(message);
    if (refused !== undefined) return exchange.send(Response.json(refused, { status: 400 }));
    confirmations.set(exchange.request, () => exchange.finished);
    const { modern } = servers.serverFor(ownerOf(auth), exchange.request);
    const asked = asTaskListen(message);
    const request = asked === message ? exchange.request : namedListen(exchange.request, asked);
    const work = modern.serve(request, asked, auth).then((response) => exchange.send(response, { isBuffered: true }));
    await agents.during(exchange, work);
  };

  /** Logs the beginning and end of each request, since a request without a response would not be visible otherwise. */
  const logged = (exchange: McpExchange, pathname: string, message: unknown): void => {
    const { method, headers } = exchange.request;
    const { method: asked, id } = Object(message) as { method?: unknown; id?: unknown };
    const what = {
      request: `${method} ${pathname}`,
      ...(typeof asked === "string" && { asked: asked.slice(0, maxLogged) }),
      ...(id !== undefined && { id: String(id).slice(0, maxLogged) }),
      ...(calledTool(message) !== undefined && { tool: calledTool(message)?.slice(0, maxLogged) }),
      ...(headers.has("mcp-session-id") && { session: headers.get("mcp-session-id")?.slice(0, 8) }),
      ...(headers.has("last-event-id") && { resumes: headers.get("last-event-id")?.slice(0, maxLogged) }),
    };
    const began = platform.clock.monotonic();
    log("debug", "An MCP request began", what);
    void exchange.finished.then((isWhole) => {
      const ms = Math.round(platform.clock.monotonic() - began);
      log("debug", "An MCP request ended", { ...what, status: exchange.status, isWhole, ms });
    });
  };

  const serve = async (exchange: McpExchange, request: Request, auth: AuthInfo): Promise<void> => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/sse")) logged(exchange, pathname, undefined);
    if (pathname.endsWith("/sse")) return agents.during(exchange, sse.open(exchange, auth));
    const read = request.method === "POST" ? await readMessage(request, maxBodyBytes) : { message: undefined, refusals: [] };
    if (read instanceof Response) return exchange.send(read);
    const { message } = read;
    exchange.refusals = read.refusals;
    logged(exchange, pathname, message);
    if (pathname.endsWith("/messages")) return sse.take(exchange, message, auth);
    // The SDK's own rule, which it applies again to what it serves.
    const isLegacy = !claimsRevision(message) && (await isLegacyRequest(request, message));
    const work = isLegacy ? legacy.serve(exchange, message, auth) : serveModern(exchange, message, auth);
    if (calledTool(message) === undefined) return work;
    calls.add(work);
    return work.finally(() => calls.delete(work));
  };

  return {
    fetch(original, { authInfo = nobody } = {}) {
      const request = acceptingBoth(original);
      const exchange = new McpExchange(request);
      const { response } = exchange;
      serve(exchange, request, authInfo).catch((error: unknown) => {
        if (error instanceof AskboxError) void exchange.send(onRefused(error, request));
        else exchange.fail(error);
      });
      return response;
    },
    end(owner) {
      legacy.endOf(owner);
      servers.end(owner);
    },
    async close() {
      const told = Promise.withResolvers<void>();
      const cancel = platform.clock.setTimer(shutdownGrace, told.resolve);
      // Their results must be written before the streams are closed.
      const ended = servers.endCalls().then(() => Promise.allSettled(calls));
      await Promise.race([ended, told.promise]);
      const left = legacy.close();
      await servers.close();
      await Promise.race([left, told.promise]);
      cancel();
      await sse.close();
    },
  };
}

/** The request with the name of its message in the header, where routers look for it. The exchange stays that of the client's. */
function namedListen({ url, headers: sent, signal }: Request, message: unknown): Request {
  const headers = new Headers(sent);
  headers.set("mcp-method", String(Object(message).method));
  return new Request(url, { method: "POST", headers, signal });
}

/** The SDK looks for both types by name, and a client that accepts everything accepts them, too. */
function acceptingBoth(request: Request): Request {
  const types = request.headers.get("accept")?.split(",") ?? [];
  if (!types.some((type) => type.split(";")[0]?.trim() === "*/*")) return request;
  const headers = new Headers(request.headers);
  headers.set("accept", "application/json, text/event-stream");
  const { url, method, body, signal } = request;
  // Passes the body itself on, since a cloned request reads ahead.
  return new Request(url, { method, headers, signal, ...(body !== null && { body, duplex: "half" }) });
}
