import type { IncomingMessage, ServerResponse } from "node:http";
import { AskboxError, silentLog } from "@askbox/core";
import { type MountContext, type MountService, readBody, refuse } from "@askbox/hub";
import { type AuthInfo, isInitializeRequest, isJsonContentType, isLegacyRequest, type RequestId } from "@modelcontextprotocol/server";
import { createAskServers } from "./ask-servers.ts";
import { Exchange } from "./exchange.ts";
import { McpSession } from "./mcp-session.ts";
import { McpSessions } from "./mcp-sessions.ts";
import type { MountMcpOptions } from "./mount-mcp.ts";
import { challenge, mcpPaths, sendMetadata } from "./protected-resource.ts";

/** How long calls may take to be told that the hub goes away, in ms. */
const farewell = 1_000;

/** JSON-RPC's code for what is not JSON. */
const parseError = -32_700;
/** The codes of the SDK's own transport for what HTTP can say better. */
const badRequest = -32_000;
const sessionNotFound = -32_001;

/** The endpoint itself. Whatever it takes is loaded with it. */
export function mcpEndpoint({ version, defaultTimeout, log = silentLog }: MountMcpOptions): MountService {
  return (context: MountContext) => {
    const { platform, limits, authorize } = context;
    const confirmations = new WeakMap<Request, (id: RequestId) => Promise<boolean>>();
    const written = async (request: Request, id: RequestId) => (await confirmations.get(request)?.(id)) ?? false;
    const servers = createAskServers({ context, version, defaultTimeout, written, log });
    const sessions = new McpSessions(platform.clock);

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
        return answer(outgoing, 405, badRequest, "Use POST; GET and DELETE take the header Mcp-Session-Id.");
      if (method === "POST" && !hasSession && !isInitializeRequest(body)) {
        return answer(outgoing, 400, badRequest, "Begin with initialize, and send the header Mcp-Session-Id of its response.");
      }
      const session = await sessionFor(exchange, body, auth);
      if (session === undefined)
        return answer(outgoing, 404, sessionNotFound, "There is no such MCP session any more; begin a new one with initialize.");
      confirmations.set(exchange.request, (id) => session.written(id));
      await session.serve(exchange, body, auth);
    };

    const serve = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const { owner, scopes } = await authorize(incoming, "asker");
      // The token itself is nobody's business from here on.
      const auth: AuthInfo = { token: "", clientId: owner, scopes: [...scopes] };
      const isPost = incoming.method === "POST";
      const text = isPost ? await readBody(incoming, limits) : "";
      if (isPost && !isJsonContentType(incoming.headers["content-type"])) {
        return answer(outgoing, 415, badRequest, "Send the message as Content-Type: application/json.");
      }
      const body = isPost ? parsed(text) : undefined;
      if (isPost && body === undefined) return answer(outgoing, 400, parseError, "Parse error: the body is not valid JSON.");
      const exchange = new Exchange(incoming, outgoing);
      if (await isLegacyRequest(exchange.request, body)) return serveLegacy(exchange, outgoing, body, auth);
      confirmations.set(exchange.request, () => exchange.finished);
      const { modern } = servers.serverFor(owner, exchange.request);
      await exchange.send(await modern.fetch(exchange.request, { authInfo: auth, parsedBody: body }));
    };

    return {
      paths: mcpPaths,
      async handle(incoming, outgoing) {
        if (!(incoming.url ?? "").startsWith("/mcp")) return sendMetadata(incoming, outgoing);
        try {
          await serve(incoming, outgoing);
        } catch (error) {
          if (!(error instanceof AskboxError)) throw error;
          refuse(outgoing, error, challenge(incoming, error));
        }
      },
      async close() {
        const told = Promise.withResolvers<void>();
        const cancel = platform.clock.setTimer(farewell, told.resolve);
        await Promise.race([servers.close(), told.promise]);
        cancel();
        sessions.close();
      },
    };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answer(outgoing: ServerResponse, status: number, code: number, message: string): void {
  const allow = status === 405 ? { allow: "GET, POST, DELETE" } : {};
  outgoing
    .writeHead(status, { "content-type": "application/json", ...allow })
    .end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}
