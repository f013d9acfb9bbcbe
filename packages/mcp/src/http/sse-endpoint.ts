import type { IncomingMessage, ServerResponse } from "node:http";
import { AskboxError } from "@askbox/core";
import { type AuthInfo, parseJSONRPCMessage } from "@modelcontextprotocol/server";
import { ownerOf } from "./askers.ts";
import { Exchange } from "./exchange.ts";
import type { McpHost } from "./host.ts";
import { answerError, readMessage, refuseMethod } from "./http-message.ts";
import { type HttpMcpServers, keepAlive } from "./servers.ts";
import { SseTransport } from "./sse-transport.ts";

/** Streams of one token at once. */
const maxPerOwner = 500;

interface SseSession {
  transport: SseTransport;
  owner: string;
  /** The request that opened the stream, whose address says who asks. */
  request: Request;
}

export interface SseEndpointOptions {
  context: McpHost;
  servers: HttpMcpServers;
  /** What was sent in answer to this request has reached its client. */
  onOpened(request: Request): void;
}

/** Revision 2024-11-05: `GET /sse` opens a session, and `POST /messages?sessionId=…` sends to it. The session ends with its stream. */
export class SseEndpoint {
  readonly #options: SseEndpointOptions;
  readonly #sessions = new Map<string, SseSession>();

  constructor(options: SseEndpointOptions) {
    this.#options = options;
  }

  async open(incoming: IncomingMessage, outgoing: ServerResponse, auth: AuthInfo): Promise<void> {
    if (incoming.method !== "GET") return refuseMethod(outgoing, "GET", "Open the stream with GET.");
    const { context, servers, onOpened } = this.#options;
    const { clock, ids } = context.platform;
    const owner = auth.clientId;
    if ([...this.#sessions.values()].filter((session) => session.owner === owner).length >= maxPerOwner) {
      throw new AskboxError("RATE_LIMITED", `${maxPerOwner} MCP streams of this token are open; close some before you open more.`);
    }
    const { request, finished } = new Exchange(incoming, outgoing);
    const { factory } = servers.serverFor(ownerOf(auth), request);
    const id = ids.session();
    const transport = new SseTransport(id, outgoing, `/messages?sessionId=${id}`);
    onOpened(request);
    this.#sessions.set(id, { transport, owner, request });
    const server = await factory({ era: "legacy", authInfo: auth, requestInfo: request });
    await server.connect(transport);
    let cancel = () => {};
    const beat = () => {
      transport.keepAlive();
      cancel = clock.setTimer(keepAlive, beat);
    };
    cancel = clock.setTimer(keepAlive, beat);
    await finished;
    cancel();
    this.#sessions.delete(id);
  }

  async take(incoming: IncomingMessage, outgoing: ServerResponse, auth: AuthInfo): Promise<void> {
    if (incoming.method !== "POST") return refuseMethod(outgoing, "POST", "Send messages with POST.");
    const id = new URL(incoming.url ?? "/", "http://hub").searchParams.get("sessionId") ?? "";
    const read = await readMessage(incoming, outgoing, this.#options.context);
    if (read === undefined) return;
    const session = this.#sessions.get(id);
    if (session?.owner !== auth.clientId) return answerError(outgoing, 404, "There is no such MCP session; open one with GET /sse.");
    try {
      const message = parseJSONRPCMessage(read.message);
      outgoing.writeHead(202).end();
      session.transport.onmessage?.(message, { authInfo: auth, request: session.request });
    } catch {
      answerError(outgoing, 400, "Send one JSON-RPC message.");
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}
