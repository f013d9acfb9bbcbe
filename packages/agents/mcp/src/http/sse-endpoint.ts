import { AskboxError, type Platform } from "@askbox/core";
import {
  type AuthInfo,
  type JSONRPCMessage,
  type MessageExtraInfo,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { type McpExchange, maxUnread, unreadComment } from "./exchange.ts";
import { errorResponse, methodNotAllowed } from "./messages.ts";
import { type HttpMcpServers, keepAlive, ownerOf } from "./servers.ts";

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

interface Queued {
  chunk: Uint8Array;
  taken: PromiseWithResolvers<void>;
}

const encoder = new TextEncoder();

/** The server's side of revision 2024-11-05's HTTP with SSE: one stream that lasts as long as the session, plus POSTs. */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  readonly response: Response;
  readonly #queue: Queued[] = [];
  #queuedBytes = 0;
  #lastComment: string | undefined;
  #wake: () => void = () => {};
  #isClosed = false;

  /** `endpoint` is where the client sends its messages: a path with a query. */
  constructor(sessionId: string, endpoint: string) {
    this.sessionId = sessionId;
    this.response = new Response(this.#stream(), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" },
    });
    this.#write(`event: endpoint\ndata: ${endpoint}\n\n`).catch(() => {});
  }

  async start(): Promise<void> {}

  /** Resolves when the server has passed the message on, so that a message that a disconnected client never read does not count as sent. */
  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** Keeps proxies from closing the connection. */
  keepAlive(): void {
    if (this.#queue.length === 0) this.#write(": keepalive\n\n").catch(() => {});
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake();
    this.onclose?.();
  }

  async #write(text: string): Promise<void> {
    if (this.#isClosed) throw new Error("The stream is closed.");
    if (this.#queue.length >= maxUnread.messages || this.#queuedBytes >= maxUnread.bytes) {
      this.#lastComment = unreadComment;
      this.#cut("The client does not read the stream.");
      throw new Error("The client does not read the stream.");
    }
    const chunk = encoder.encode(text);
    const taken = Promise.withResolvers<void>();
    this.#queue.push({ chunk, taken });
    this.#queuedBytes += chunk.length;
    this.#wake();
    return taken.promise;
  }

  #stream(): ReadableStream<Uint8Array> {
    let passed: Queued | undefined;
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          // A reader that asks for more has received what came before.
          if (passed !== undefined && this.#queue[0] === passed) {
            this.#queue.shift();
            this.#queuedBytes -= passed.chunk.length;
            passed.taken.resolve();
          }
          passed = undefined;
          while (this.#queue.length === 0 && !this.#isClosed) {
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
            });
          }
          passed = this.#queue[0];
          if (passed !== undefined) return controller.enqueue(passed.chunk);
          if (this.#lastComment !== undefined) controller.enqueue(encoder.encode(this.#lastComment));
          controller.close();
        },
        cancel: () => this.#cut("The client has closed the stream."),
      },
      { highWaterMark: 0 },
    );
  }

  #cut(reason: string): void {
    for (const { taken } of this.#queue.splice(0)) taken.reject(new Error(reason));
    this.#queuedBytes = 0;
    void this.close();
  }
}
