import type { CancelTimer, Clock, Log } from "@askbox/core";
import {
  type AuthInfo,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "@modelcontextprotocol/server";
import { movedElsewhere } from "../ask-mcp-server.ts";
import { type Carried, CarriedCalls, failure, postLike, type SessionAcross } from "./carried-calls.ts";
import { EventLog, isResponse, streamOf } from "./event-log.ts";
import { type McpExchange, retryAfter } from "./exchange.ts";
import { calledTool, keepAlive } from "./servers.ts";

/** How long a call whose stream was cut waits for its client to resume, in ms: for the two attempts of the SDK's clients. */
const resumptionGrace = 2 * retryAfter + 1_000;

export interface McpSessionOptions {
  id: string;
  owner: string;
  factory: McpServerFactory;
  clock: Clock;
  log: Log;
  /** Set if several hubs know the session. */
  across?: SessionAcross | undefined;
  /** How much more its owner's sessions may store for clients that resume, in characters. */
  free(): number;
  /** The client has ended it. */
  onEnded(): Promise<void>;
}

/** A request without a response yet. */
interface OpenRequest {
  id: RequestId;
  /** Set once an event of its stream was sent; before that the client cannot resume. */
  stream: string | undefined;
  giveUp: CancelTimer;
}

/** One MCP session of a revision before 2026-07-28 over Streamable HTTP. */
export class McpSession {
  readonly id: string;
  readonly owner: string;
  /** Monotonic time in ms. */
  usedAt: number;
  /** Exchanges in progress. */
  exchanges = 0;
  /** Set if several hubs know the session. */
  readonly carried: CarriedCalls | undefined;
  readonly #options: McpSessionOptions;
  readonly #events: EventLog;
  readonly #open = new Map<RequestId, OpenRequest>();
  readonly #transport: SessionTransport;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.owner = options.owner;
    this.usedAt = options.clock.monotonic();
    this.#events = new EventLog(
      (stream, first) => this.carried?.begin(stream, first),
      (stream) => void this.carried?.release(stream),
      options.free,
    );
    this.carried = options.across && new CarriedCalls(options.id, options.across, this.#events, (id) => this.#leave(id));
    this.#transport = new SessionTransport(options.across?.self, {
      sessionIdGenerator: () => options.id,
      eventStore: this.#events,
      keepAliveMs: keepAlive,
      retryInterval: retryAfter,
      onsessionclosed: () => options.onEnded(),
    });
    this.#transport.onAnswered = (id) => this.#forget(id);
  }

  /** What it stores for its client, in characters. */
  get stored(): number {
    return this.#events.size;
  }

  async begin(context: Parameters<McpServerFactory>[0]): Promise<void> {
    const server = await this.#options.factory(context);
    await server.connect(this.#transport);
  }

  /** Restores a session that another hub started, with the client's own messages. */
  async restore(params: object, request: Request, authInfo: AuthInfo): Promise<void> {
    const post = postLike(request);
    for (const message of [
      { jsonrpc: "2.0", id: `${this.id} again`, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ]) {
      const response = await this.#transport.handleRequest(post, { authInfo, parsedBody: message });
      await response.text();
    }
  }

  /** Whether the response to one of its requests has reached the client. */
  written(id: RequestId): Promise<boolean> {
    return this.#events.written(id);
  }

  /** Serves one request of this session; `body` is its parsed JSON. */
  async serve(exchange: McpExchange, body: unknown, authInfo: AuthInfo): Promise<void> {
    this.exchanges += 1;
    try {
      const { request } = exchange;
      const lastEventId = request.method === "GET" ? request.headers.get("last-event-id") : null;
      const resumed = lastEventId === null ? undefined : await this.carried?.resume(request, lastEventId);
      if (resumed !== undefined) return await this.#answer(exchange, resumed.call, authInfo, resumed);
      for (const message of this.#transport.forOthers(body)) this.#options.across?.publish(message);
      const call = calledTool(body) !== undefined && isJSONRPCRequest(body) ? body : undefined;
      await this.#answer(exchange, this.#transport.own(body), authInfo, call && { call, request });
    } finally {
      this.exchanges -= 1;
      this.usedAt = this.#options.clock.monotonic();
    }
  }

  /** Receives what its client has sent to another hub. */
  receive(message: JSONRPCMessage): void {
    this.#transport.onmessage?.(this.#transport.own(message));
    this.#endCancelled(message);
  }

  /** Resolves once its calls are left to the next hub. */
  async close(): Promise<void> {
    const left = this.carried?.close();
    for (const id of [...this.#open.keys()]) this.#forget(id);
    await this.#transport.close();
    this.#events.close();
    await left;
  }

  async #answer(exchange: McpExchange, body: unknown, authInfo: AuthInfo, carried?: Carried): Promise<void> {
    const messages = [body].flat();
    const requests = messages.filter(isJSONRPCRequest);
    const asked = new Set(requests.map(({ id }): OpenRequest => ({ id, stream: carried?.stream, giveUp: () => {} })));
    for (const open of asked) this.#open.set(open.id, open);
    const handle = () => this.#transport.handleRequest(carried?.request ?? exchange.request, { authInfo, parsedBody: body });
    const { across } = this.#options;
    const response = await (carried === undefined || across === undefined ? handle() : across.carried.run(carried, handle));
    for (const message of messages) this.#endCancelled(message);
    if (response.headers.get("content-type") === "text/event-stream") return this.#stream(exchange, response, asked);
    for (const { id } of asked) this.#forget(id);
    await exchange.send(response);
  }

  /** Sends a stream, and keeps the requests of a cut one until it is resumed or times out. */
  async #stream(exchange: McpExchange, response: Response, asked: ReadonlySet<OpenRequest>): Promise<void> {
    const sent = new Set<string>();
    const lastEventId = exchange.request.headers.get("last-event-id");
    const resumed = asked.size > 0 || lastEventId === null ? null : streamOf(lastEventId);
    const mine = () => [...this.#open.values()].filter((open) => asked.has(open) || open.stream === resumed);
    for (const { giveUp } of mine()) giveUp();
    const onFrame = (frame: string) => {
      const eventId = /^id: (\S+)$/m.exec(frame)?.[1];
      if (eventId === undefined) return;
      sent.add(eventId);
      for (const open of asked) open.stream = streamOf(eventId);
    };
    await exchange.send(response, { onFrame, isBuffered: true });
    if (await exchange.finished) {
      await this.carried?.finish(sent);
      return this.#events.reached(sent);
    }
    for (const open of mine()) {
      open.giveUp();
      if (open.stream === undefined) this.#giveUp(open);
      else open.giveUp = this.#options.clock.setTimer(resumptionGrace, () => this.#giveUp(open));
    }
  }

  /** Cancels a request as its client would. */
  #giveUp({ id, stream }: OpenRequest): void {
    this.#cancel(id, "The call's stream was closed.");
    if (stream !== undefined) this.carried?.yield(stream);
  }

  #leave(id: RequestId): void {
    if (!this.#open.has(id)) return;
    // Nothing more is sent here: the stream is read at another hub.
    this.#transport.closeSSEStream(id);
    this.#cancel(id, movedElsewhere);
  }

  #cancel(id: RequestId, reason: string): void {
    const cancelled: JSONRPCMessage = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: id, reason },
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
   * Ends the stream of a cancelled request. The SDK leaves it open forever; it must end with a result, since clients try to resume a stream
   * that ends without one.
   */
  #end(id: RequestId): void {
    if (!this.#open.has(id)) return;
    this.#transport
      .send(failure(id, "the call was cancelled, or its connection was lost"))
      .catch((error: unknown) => this.#options.log("debug", "A cancelled call had ended already", { error: String(error) }));
  }

  #forget(id: RequestId): void {
    this.#open.get(id)?.giveUp();
    this.#open.delete(id);
  }
}

/** Whether a client's message may belong to a call at another hub than it was posted to. */
export function isRelayed(message: unknown): message is JSONRPCMessage {
  if (isJSONRPCNotification(message)) return message.method !== "notifications/initialized";
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

/**
 * The SDK's transport, which reports when a request has been answered. If several hubs serve a session, each marks the ids of its own
 * requests to the client, since every response may be posted to any of them.
 */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  onAnswered: (id: RequestId) => void = () => {};
  readonly #mark: string | undefined;

  /** `hub` is this hub's id, if it is one of several. */
  constructor(hub: string | undefined, options: WebStandardStreamableHTTPServerTransportOptions) {
    super(options);
    this.#mark = hub === undefined ? undefined : `${hub}:`;
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isResponse(message)) this.onAnswered(message.id);
    await super.send(this.#marked(message), options);
  }

  /** The posted messages, with the SDK's original ids for this hub's own requests. */
  own<Body>(body: Body): Body {
    const mark = this.#mark;
    if (mark === undefined) return body;
    if (Array.isArray(body)) return body.map((message) => this.own(message)) as Body;
    const { id, method } = Object(body) as { id?: unknown; method?: unknown };
    const isOwn = method === undefined && typeof id === "string" && id.startsWith(mark);
    return isOwn ? { ...body, id: Number(id.slice(mark.length)) } : body;
  }

  /** The posted messages that may belong to a call at another hub. */
  forOthers(body: unknown): JSONRPCMessage[] {
    return [body]
      .flat()
      .filter(isRelayed)
      .filter((message) => !("id" in message && String(message.id).startsWith(this.#mark ?? "")));
  }

  #marked(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#mark === undefined) return message;
    if (isJSONRPCRequest(message)) return { ...message, id: `${this.#mark}${message.id}` };
    const requestId =
      isJSONRPCNotification(message) && message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
    return requestId === undefined
      ? message
      : ({ ...message, params: { ...Object(message).params, requestId: `${this.#mark}${requestId}` } } as JSONRPCMessage);
  }
}
