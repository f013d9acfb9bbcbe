import { AskboxError, type Platform } from "@askbox/core";
import { type AuthInfo, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import type { McpExchange } from "./exchange.ts";
import { errorResponse, methodNotAllowed } from "./messages.ts";
import { ownerOf } from "./owner.ts";
import { type HttpMcpServers, keepAlive } from "./servers.ts";
import { SseTransport } from "./sse-transport.ts";

/** Concurrent streams per token. */
const maxPerOwner = 500;

interface SseSession {
  transport: SseTransport;
  owner: string;
  /** The request that opened the stream; its URL describes the caller. */
  request: Request;
}

export interface SseEndpointOptions {
  platform: Platform;
  servers: HttpMcpServers;
  /** The response to this request has reached its client. */
  onOpened(request: Request): void;
}

/** Revision 2024-11-05: `GET …/sse` opens a session, and `POST …/messages?sessionId=…` sends to it. The session ends with its stream. */
export class SseEndpoint {
  readonly #options: SseEndpointOptions;
  readonly #sessions = new Map<string, SseSession>();

  constructor(options: SseEndpointOptions) {
    this.#options = options;
  }

  async open(exchange: McpExchange, auth: AuthInfo): Promise<void> {
    const { request } = exchange;
    if (request.method !== "GET") return exchange.send(methodNotAllowed("GET", "Open the stream with GET."));
    const { platform, servers, onOpened } = this.#options;
    const { clock, ids } = platform;
    const owner = auth.clientId;
    if ([...this.#sessions.values()].filter((session) => session.owner === owner).length >= maxPerOwner) {
      throw new AskboxError("RATE_LIMITED", `${maxPerOwner} MCP streams of this token are open; close some before you open more.`);
    }
    const { factory } = servers.serverFor(ownerOf(auth), request);
    const id = ids.session();
    const transport = new SseTransport(id, `${new URL(request.url).pathname.replace(/sse$/, "messages")}?sessionId=${id}`);
    onOpened(request);
    this.#sessions.set(id, { transport, owner, request });
    let cancel = () => {};
    try {
      const server = await factory({ era: "legacy", authInfo: auth, requestInfo: request });
      await server.connect(transport);
      const beat = () => {
        transport.keepAlive();
        cancel = clock.setTimer(keepAlive, beat);
      };
      cancel = clock.setTimer(keepAlive, beat);
      await exchange.send(transport.response);
    } finally {
      cancel();
      this.#sessions.delete(id);
      await transport.close();
    }
  }

  async take(exchange: McpExchange, body: unknown, auth: AuthInfo): Promise<void> {
    const { request } = exchange;
    if (request.method !== "POST") return exchange.send(methodNotAllowed("POST", "Send messages with POST."));
    const session = this.#sessions.get(new URL(request.url).searchParams.get("sessionId") ?? "");
    if (session?.owner !== auth.clientId) {
      return exchange.send(errorResponse(404, "This MCP session does not exist; open one with GET /sse."));
    }
    try {
      const message = parseJSONRPCMessage(body);
      const sent = exchange.send(new Response(null, { status: 202 }));
      session.transport.onmessage?.(message, { authInfo: auth, request: session.request });
      await sent;
    } catch {
      await exchange.send(errorResponse(400, "Send one JSON-RPC message."));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}
