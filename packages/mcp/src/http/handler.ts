import { AskboxError, type Log, type Platform, silentLog, standardPlatform } from "@askbox/core";
import { type AuthInfo, isLegacyRequest, type RequestId } from "@modelcontextprotocol/server";
import type { CallEnd } from "../options.ts";
import { refusedListen } from "../tasks/index.ts";
import { createAskServers } from "./ask-servers.ts";
import type { OwnedAsker } from "./askers.ts";
import type { McpCluster } from "./cluster.ts";
import { Exchange } from "./exchange.ts";
import { LegacyEndpoint } from "./legacy-endpoint.ts";
import { readMessage, responseOf } from "./messages.ts";
import { calledTool, modernHandler } from "./modern-handler.ts";
import { OpenAgents } from "./open-agents.ts";
import { type Owner, ownerOf } from "./owner.ts";
import type { CreateHttpMcpServers } from "./servers.ts";
import { SseEndpoint } from "./sse-endpoint.ts";
import { withBound } from "./unread.ts";

/** How long calls may take to be told that the handler closes, in ms. */
const shutdownGrace = 1_000;
/** How much of what a client sent is logged, in characters. */
const maxLogged = 100;
/** Who asks where nobody was authenticated. */
const nobody: AuthInfo = { token: "", clientId: "anybody", scopes: [] };

/** Options of the fetch handler for MCP over HTTP. */
export interface HttpHandlerOptions {
  /** Through whom questions are put: one asker for everybody, or one for each owner. Closed with the handler, so that calls which wait get a result. */
  asker: OwnedAsker | ((owner: Owner) => OwnedAsker);
  /** The server's version, as clients are told. */
  version: string;
  /** Default `standardPlatform(globalThis)`. */
  platform?: Platform | undefined;
  /** Milliseconds, for asks that name none: 10,000–1,800,000. Default 300,000. */
  defaultTimeout?: number | undefined;
  /** Bytes of one request. Default 262,144. */
  maxBodyBytes?: number | undefined;
  /** Where several processes over one store serve the same sessions. */
  cluster?: McpCluster | undefined;
  /** Called at the end of every call. */
  onCallEnd?: ((end: CallEnd) => void) | undefined;
  /** Told how many agents are connected, whenever that changes. */
  onAgents?: ((count: number) => void) | undefined;
  /** The response to a request that is refused. Default: a JSON-RPC error with the HTTP status for it. */
  onRefused?: ((error: AskboxError, request: Request) => Response) | undefined;
  log?: Log | undefined;
  /** Other MCP servers than askbox's own to put on this transport. */
  servers?: CreateHttpMcpServers | undefined;
}

/** MCP over HTTP as a fetch handler. */
export interface HttpHandler {
  /**
   * Answers a request of any path: one that ends in `/sse` or `/messages` by revision 2024-11-05, every other as Streamable HTTP. It checks
   * neither token, `Host` nor `Origin`; `authInfo` says whose request it is, by `clientId` and `extra.agentId`. Never rejects with an `AskboxError`.
   */
  fetch(request: Request, options?: { authInfo?: AuthInfo | undefined }): Promise<Response>;
  /** Ends the sessions and waits of an owner whose token was revoked. */
  end(owner: string): void;
  /** Gives every call that waits a result, and ends what is open, within a second or so. */
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
  const { platform = standardPlatform(globalThis), log = silentLog } = options;
  const confirmations = new WeakMap<Request, (id: RequestId) => Promise<boolean>>();
  const begun = new WeakMap<Request, number>();
  const elapsed = (request: Request) => Math.max(0, platform.clock.now() - (begun.get(request) ?? platform.clock.now()));
  const written = async (request: Request, id: RequestId) => (await confirmations.get(request)?.(id)) ?? false;
  const servers =
    options.servers?.({ written, elapsed, modernHandler }) ??
    createAskServers({
      ...{ asker, platform, version, defaultTimeout, written, elapsed, onCallEnd, log },
    });
  const agents = new OpenAgents(options.onAgents);
  const legacy = new LegacyEndpoint({
    ...{ platform, servers, cluster, agents, log },
    onCall(request, session, begunAt) {
      confirmations.set(request, (id) => session.written(id));
      if (begunAt !== undefined) begun.set(request, begunAt);
    },
  });
  // A stream's own transport knows what it has written.
  const sse = new SseEndpoint({ platform, servers, onOpened: (request) => confirmations.set(request, async () => true) });
  /** Exchanges that carry a call. */
  const calls = new Set<Promise<void>>();

  const serveModern = async (exchange: Exchange, message: unknown, auth: AuthInfo) => {
    const refused = refusedListen(message);
    if (refused !== undefined) return exchange.send(Response.json(refused, { status: 400 }));
    confirmations.set(exchange.request, () => exchange.finished);
    const { modern } = servers.serverFor(ownerOf(auth), exchange.request);
    const work = modern.serve(exchange.request, message, auth).then((response) => exchange.send(withBound(response)));
    await agents.during(exchange, work);
  };

  /** Each request by its beginning and its end, since what a client waits for in vain is otherwise seen nowhere. */
  const logged = (exchange: Exchange, message: unknown): void => {
    const { method, url, headers } = exchange.request;
    const { method: asked, id } = Object(message) as { method?: unknown; id?: unknown };
    const what = {
      request: `${method} ${new URL(url).pathname}`,
      ...(typeof asked === "string" && { asked: asked.slice(0, maxLogged) }),
      ...(id !== undefined && { id: String(id).slice(0, maxLogged) }),
      ...(calledTool(message) !== undefined && { tool: calledTool(message)?.slice(0, maxLogged) }),
      ...(headers.has("mcp-session-id") && { session: headers.get("mcp-session-id")?.slice(0, 8) }),
      ...(headers.has("last-event-id") && { resumes: headers.get("last-event-id")?.slice(0, maxLogged) }),
    };
    const began = platform.clock.monotonic();
    log("debug", "An MCP request began", what);
    void Promise.all([exchange.response, exchange.finished]).then(([{ status }, isWhole]) => {
      log("debug", "An MCP request ended", { ...what, status, isWhole, ms: Math.round(platform.clock.monotonic() - began) });
    });
  };

  const serve = async (exchange: Exchange, request: Request, auth: AuthInfo): Promise<void> => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/sse")) logged(exchange, undefined);
    if (pathname.endsWith("/sse")) return agents.during(exchange, sse.open(exchange, auth));
    const read = request.method === "POST" ? await readMessage(request, maxBodyBytes) : { message: undefined };
    if (read instanceof Response) return exchange.send(read);
    const { message } = read;
    logged(exchange, message);
    if (pathname.endsWith("/messages")) return sse.take(exchange, message, auth);
    const isLegacy = await isLegacyRequest(exchange.request, message);
    const work = isLegacy ? legacy.serve(exchange, message, auth) : serveModern(exchange, message, auth);
    if (calledTool(message) === undefined) return work;
    calls.add(work);
    await work.finally(() => calls.delete(work));
  };

  return {
    fetch(request, { authInfo = nobody } = {}) {
      const exchange = new Exchange(request);
      const failed = serve(exchange, request, authInfo).then(
        () => exchange.response,
        (error: unknown) => {
          if (error instanceof AskboxError) return onRefused(error, request);
          throw error;
        },
      );
      return Promise.race([exchange.response, failed]);
    },
    end(owner) {
      legacy.endOf(owner);
      servers.end(owner);
    },
    async close() {
      const told = Promise.withResolvers<void>();
      const cancel = platform.clock.setTimer(shutdownGrace, told.resolve);
      // Their results are to be written before the streams are closed.
      const ended = servers.endCalls().then(() => Promise.allSettled(calls));
      await Promise.race([ended, told.promise]);
      cancel();
      legacy.close();
      await servers.close();
      await sse.close();
    },
  };
}
