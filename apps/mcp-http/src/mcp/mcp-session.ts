import type { CancelTimer, Clock, Log } from "@askbox/core";
import {
  type AuthInfo,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { keepAlive } from "./ask-servers.ts";
import { EventLog, isResponse, streamOf } from "./event-log.ts";
import type { Exchange } from "./exchange.ts";

/** How long a call whose stream was cut waits for its client to resume, in ms; clients try after 1 s and after 2.5 s. */
const resumptionGrace = 3_000;

export interface McpSessionOptions {
  id: string;
  owner: string;
  factory: McpServerFactory;
  clock: Clock;
  log: Log;
  /** The client has ended it. */
  onEnded(): void;
}

/** A request that is not answered yet. */
interface OpenRequest {
  /** Known once an event of its stream was sent; without one the client has nothing to resume from. */
  stream: string | undefined;
  giveUp: CancelTimer;
}

/** One MCP session of a revision before 2026-07-28 over Streamable HTTP. */
export class McpSession {
  readonly id: string;
  readonly owner: string;
  /** Monotonic time in ms. */
  usedAt: number;
  /** Exchanges under way. */
  exchanges = 0;
  readonly #options: McpSessionOptions;
  readonly #events = new EventLog();
  readonly #open = new Map<RequestId, OpenRequest>();
  readonly #transport: SessionTransport;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.owner = options.owner;
    this.usedAt = options.clock.monotonic();
    this.#transport = new SessionTransport({
      sessionIdGenerator: () => options.id,
      eventStore: this.#events,
      keepAliveMs: keepAlive,
      onsessionclosed: () => options.onEnded(),
    });
    this.#transport.onAnswered = (id) => this.#forget(id);
  }

  async begin(context: Parameters<McpServerFactory>[0]): Promise<void> {
    const server = await this.#options.factory(context);
    await server.connect(this.#transport);
  }

  /** Whether the response to one of its requests has reached the client. */
  written(id: RequestId): Promise<boolean> {
    return this.#events.written(id);
  }

  /** Serves one request of this session; `body` is what it holds as JSON. */
  async serve(exchange: Exchange, body: unknown, authInfo: AuthInfo): Promise<void> {
    this.exchanges += 1;
    try {
      const messages = [body].flat();
      const asked = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
      for (const id of asked) this.#open.set(id, { stream: undefined, giveUp: () => {} });
      const response = await this.#transport.handleRequest(exchange.request, { authInfo, ...(body !== undefined && { parsedBody: body }) });
      for (const message of messages) this.#endCancelled(message);
      if (response.headers.get("content-type") === "text/event-stream") await this.#stream(exchange, response, asked);
      else {
        for (const id of asked) this.#forget(id);
        await exchange.send(response);
      }
    } finally {
      this.exchanges -= 1;
      this.usedAt = this.#options.clock.monotonic();
    }
  }

  async close(): Promise<void> {
    for (const id of [...this.#open.keys()]) this.#forget(id);
    await this.#transport.close();
    this.#events.close();
  }

  /** Sends a stream, and keeps the requests of one that is cut until it is resumed or nobody comes for it. */
  async #stream(exchange: Exchange, response: Response, asked: readonly RequestId[]): Promise<void> {
    const sent = new Set<string>();
    const resumed = exchange.request.headers.get("last-event-id");
    let stream = resumed === null ? undefined : streamOf(resumed);
    const mine = () => (resumed === null ? asked : [...this.#open].filter(([, open]) => open.stream === stream).map(([id]) => id));
    for (const id of mine()) this.#open.get(id)?.giveUp();
    await exchange.send(response, (frame) => {
      const eventId = /^id: (\S+)$/m.exec(frame)?.[1];
      if (eventId === undefined) return;
      sent.add(eventId);
      stream = streamOf(eventId);
      for (const id of asked) {
        const open = this.#open.get(id);
        if (open !== undefined) open.stream = stream;
      }
    });
    if (await exchange.finished) return this.#events.reached(sent);
    for (const id of mine()) this.#awaitResumption(id);
  }

  #awaitResumption(id: RequestId): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    if (open.stream === undefined) return this.#giveUp(id);
    open.giveUp();
    open.giveUp = this.#options.clock.setTimer(resumptionGrace, () => this.#giveUp(id));
  }

  /** Cancels a request as its client would have. */
  #giveUp(id: RequestId): void {
    const cancelled: JSONRPCMessage = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason: "The call's stream was closed." },
    };
    this.#transport.onmessage?.(cancelled);
    this.#end(id);
  }

  #endCancelled(message: unknown): void {
    if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    if (typeof id === "string" || typeof id === "number") this.#end(id);
  }

  /**
   * Ends the stream of a cancelled request. The SDK leaves it open for ever; and it has to end with a result, since clients try to resume
   * a stream that ends without one.
   */
  #end(id: RequestId): void {
    if (!this.#open.has(id)) return;
    const text = "Failed: the call was cancelled, or its connection was lost. The questions stay open; ask again to go on waiting.";
    this.#transport
      .send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError: true } })
      .catch((error: unknown) => this.#options.log("debug", "A cancelled call had ended already", { error: String(error) }));
  }

  #forget(id: RequestId): void {
    this.#open.get(id)?.giveUp();
    this.#open.delete(id);
  }
}

/** The SDK's transport, which tells when a request has been answered. */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  onAnswered: (id: RequestId) => void = () => {};

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isResponse(message)) this.onAnswered(message.id);
    await super.send(message, options);
  }
}
