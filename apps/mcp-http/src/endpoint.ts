import type { IncomingMessage, ServerResponse } from "node:http";
import { AskboxError, silentLog } from "@askbox/core";
import { type MountContext, type MountService, refuse } from "@askbox/hub";
import { refusedListen } from "@askbox/mcp";
import {
  acrossHubs,
  answerError,
  calledTool,
  createAskServers,
  Exchange,
  McpSession,
  McpSessions,
  modernHandler,
  OpenAgents,
  ownerOf,
  readMessage,
  refuseMethod,
  SseEndpoint,
} from "@askbox/mcp/http";
import { type AuthInfo, isInitializeRequest, isLegacyRequest, type RequestId } from "@modelcontextprotocol/server";
import type { MountMcpOptions } from "./mount-mcp.ts";
import { challenge, mcpPaths, metadataPaths, sendMetadata } from "./protected-resource.ts";

/** How long calls may take to be told that the hub goes away, in ms. */
const shutdownGrace = 1_000;

/** The endpoint itself. Whatever it takes is loaded with it. */
export function mcpEndpoint(options: MountMcpOptions): MountService {
  const { version, defaultTimeout, onCallEnd, onRefused, log = silentLog } = options;
  return (context: MountContext) => {
    const { platform, authorize } = context;
    const confirmations = new WeakMap<Request, (id: RequestId) => Promise<boolean>>();
    const begun = new WeakMap<Request, number>();
    const elapsed = (request: Request) => Math.max(0, platform.clock.now() - (begun.get(request) ?? platform.clock.now()));
    const written = async (request: Request, id: RequestId) => (await confirmations.get(request)?.(id)) ?? false;
    const servers =
      options.servers?.({ context, written, elapsed, modernHandler }) ??
      createAskServers({ context, version, defaultTimeout, written, elapsed, onCallEnd, log });
    const across = acrossHubs({
      ...{ context, log },
      whenOver: async (request) => servers.whenOver?.(request),
      find: (id) => sessions.find(id),
      onEnded: (id) => sessions.end(id),
      onTakenUp(request, { at }, session) {
        begun.set(request, at);
        confirmations.set(request, (id) => session.written(id));
      },
    });
    const sessions = new McpSessions(platform.clock, (id) => void across?.ended(id));
    const unsubscribe = context.onRevoked((owner) => {
      sessions.endOf(owner);
      servers.end(owner);
    });
    // A stream's own transport knows what it has written.
    const sse = new SseEndpoint({ context, servers, onOpened: (request) => confirmations.set(request, async () => true) });

    const agents = new OpenAgents(options.onAgents);
    /** Exchanges that carry a call. */
    const calls = new Set<Promise<void>>();

    const sessionFor = async (exchange: Exchange, body: unknown, auth: AuthInfo): Promise<McpSession | undefined> => {
      const { request } = exchange;
      const owner = auth.clientId;
      const known = request.headers.get("mcp-session-id");
      const make = async (id: string) => {
        const { factory } = servers.serverFor(ownerOf(auth), request);
        const onEnded = async () => {
          sessions.end(id);
          await across?.ended(id);
        };
        const session = new McpSession({ id, owner, factory, clock: platform.clock, log, across: across?.of(id), onEnded });
        await session.begin({ era: "legacy", authInfo: auth, requestInfo: request });
        return session;
      };
      if (known !== null) {
        const local = sessions.get(known, owner);
        if (across === undefined) return local;
        return across.find(known, owner, local, async ({ params }) => {
          const session = await make(known);
          await session.goOn(params, request, auth);
          sessions.add(session);
          return session;
        });
      }
      const session = await make(platform.ids.session());
      if (isInitializeRequest(body)) {
        await across?.began(session.id, { owner, params: body.params });
        sessions.add(session);
      }
      return session;
    };

    const serveLegacy = async (exchange: Exchange, outgoing: ServerResponse, body: unknown, auth: AuthInfo) => {
      const { method, headers } = exchange.request;
      const hasSession = headers.has("mcp-session-id");
      if (method !== "POST" && !hasSession)
        return refuseMethod(outgoing, "GET, POST, DELETE", "Use POST; GET and DELETE take the header Mcp-Session-Id.");
      if (method === "POST" && !hasSession && !isInitializeRequest(body)) {
        return answerError(outgoing, 400, "Begin with initialize, and send the header Mcp-Session-Id of its response.");
      }
      const session = await sessionFor(exchange, body, auth);
      if (session === undefined)
        return answerError(outgoing, 404, "There is no such MCP session any more; begin a new one with initialize.");
      confirmations.set(exchange.request, (id) => session.written(id));
      await agents.during(session.id, session.serve(exchange, body, auth));
    };

    const serve = async (incoming: IncomingMessage, outgoing: ServerResponse, auth: AuthInfo) => {
      const read = incoming.method === "POST" ? await readMessage(incoming, outgoing, context) : { message: undefined };
      if (read === undefined) return;
      const { message } = read;
      const exchange = new Exchange(incoming, outgoing);
      if (calledTool(message) === undefined) return exchangeMessages(exchange, outgoing, message, auth);
      const call = exchangeMessages(exchange, outgoing, message, auth);
      calls.add(call);
      await call.finally(() => calls.delete(call));
    };

    const exchangeMessages = async (exchange: Exchange, outgoing: ServerResponse, message: unknown, auth: AuthInfo) => {
      if (await isLegacyRequest(exchange.request, message)) return serveLegacy(exchange, outgoing, message, auth);
      const refused = refusedListen(message);
      if (refused !== undefined) return exchange.send(Response.json(refused, { status: 400 }));
      confirmations.set(exchange.request, () => exchange.finished);
      const { modern } = servers.serverFor(ownerOf(auth), exchange.request);
      const work = modern.serve(exchange.request, message, auth).then((response) => exchange.send(response));
      await agents.during(exchange, work);
    };

    const route = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const [path = ""] = (incoming.url ?? "").split("?");
      if (metadataPaths.includes(path)) return sendMetadata(incoming, outgoing);
      const { owner, scopes, agentId } = await authorize(incoming, "asker");
      // The token itself is nobody's business from here on.
      const auth: AuthInfo = { token: "", clientId: owner, scopes: [...scopes], ...(agentId !== undefined && { extra: { agentId } }) };
      if (path === "/sse") return agents.during(outgoing, sse.open(incoming, outgoing, auth));
      if (path === "/messages") return sse.take(incoming, outgoing, auth);
      return serve(incoming, outgoing, auth);
    };

    return {
      paths: mcpPaths,
      async handle(incoming, outgoing) {
        try {
          await route(incoming, outgoing);
        } catch (error) {
          if (!(error instanceof AskboxError)) throw error;
          onRefused?.(error.code);
          refuse(outgoing, error, challenge(incoming, error));
        }
      },
      async close() {
        unsubscribe();
        const told = Promise.withResolvers<void>();
        const cancel = platform.clock.setTimer(shutdownGrace, told.resolve);
        // Their results are to be written before the streams are closed.
        const ended = servers.endCalls().then(() => Promise.allSettled(calls));
        await Promise.race([ended, told.promise]);
        cancel();
        sessions.close();
        across?.close();
        await servers.close();
        await sse.close();
      },
    };
  };
}
