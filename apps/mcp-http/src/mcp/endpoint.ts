import type { IncomingMessage, ServerResponse } from "node:http";
import { AskboxError, silentLog } from "@askbox/core";
import { type MountContext, type MountService, refuse } from "@askbox/hub";
import { type AuthInfo, isInitializeRequest, isLegacyRequest, type RequestId } from "@modelcontextprotocol/server";
import { createAskServers } from "./ask-servers.ts";
import { Exchange } from "./exchange.ts";
import { answerError, readMessage, refuseMethod } from "./http-message.ts";
import { McpSession } from "./mcp-session.ts";
import { McpSessions } from "./mcp-sessions.ts";
import type { MountMcpOptions } from "./mount-mcp.ts";
import { challenge, mcpPaths, metadataPaths, sendMetadata } from "./protected-resource.ts";
import { SseEndpoint } from "./sse-endpoint.ts";

/** How long calls may take to be told that the hub goes away, in ms. */
const farewell = 1_000;

/** The endpoint itself. Whatever it takes is loaded with it. */
export function mcpEndpoint({ version, defaultTimeout, onCallEnd, onRefused, log = silentLog }: MountMcpOptions): MountService {
  return (context: MountContext) => {
    const { platform, authorize } = context;
    const confirmations = new WeakMap<Request, (id: RequestId) => Promise<boolean>>();
    const written = async (request: Request, id: RequestId) => (await confirmations.get(request)?.(id)) ?? false;
    const servers = createAskServers({ context, version, defaultTimeout, written, onCallEnd, log });
    const sessions = new McpSessions(platform.clock);
    // A stream's own transport knows what it has written.
    const sse = new SseEndpoint({ context, servers, onOpened: (request) => confirmations.set(request, async () => true) });

    const sessionFor = async (exchange: Exchange, body: unknown, auth: AuthInfo): Promise<McpSession | undefined> => {
      const { request } = exchange;
      const owner = auth.clientId;
      const known = request.headers.get("mcp-session-id");
      if (known !== null) return sessions.get(known, owner);
      const { factory } = servers.serverFor(owner, request);
      const id = platform.ids.session();
      const session = new McpSession({ id, owner, factory, clock: platform.clock, log, onEnded: () => sessions.end(id) });
      await session.begin({ era: "legacy", authInfo: auth, requestInfo: request });
      if (isInitializeRequest(body)) sessions.add(session);
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
      await session.serve(exchange, body, auth);
    };

    const serve = async (incoming: IncomingMessage, outgoing: ServerResponse, auth: AuthInfo) => {
      const read = incoming.method === "POST" ? await readMessage(incoming, outgoing, context) : { message: undefined };
      if (read === undefined) return;
      const { message } = read;
      const exchange = new Exchange(incoming, outgoing);
      if (await isLegacyRequest(exchange.request, message)) return serveLegacy(exchange, outgoing, message, auth);
      confirmations.set(exchange.request, () => exchange.finished);
      const { modern } = servers.serverFor(auth.clientId, exchange.request);
      await exchange.send(await modern.fetch(exchange.request, { authInfo: auth, parsedBody: message }));
    };

    const route = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const [path = ""] = (incoming.url ?? "").split("?");
      if (metadataPaths.includes(path)) return sendMetadata(incoming, outgoing);
      const { owner, scopes } = await authorize(incoming, "asker");
      // The token itself is nobody's business from here on.
      const auth: AuthInfo = { token: "", clientId: owner, scopes: [...scopes] };
      if (path === "/sse") return sse.open(incoming, outgoing, auth);
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
        const told = Promise.withResolvers<void>();
        const cancel = platform.clock.setTimer(farewell, told.resolve);
        await Promise.race([servers.close(), told.promise]);
        cancel();
        sessions.close();
        await sse.close();
      },
    };
  };
}
