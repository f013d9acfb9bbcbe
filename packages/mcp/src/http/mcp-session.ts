import type { Clock, Log } from "@askbox/core";
import {
  type AuthInfo,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpServerFactory,
  type RequestId,
} from "@modelcontextprotocol/server";
import { movedElsewhere } from "../moved-elsewhere.ts";
import { EventLog, isResponse, streamOf } from "./event-log.ts";
import { type McpExchange, retryAfter } from "./exchange.ts";
import { calledTool } from "./modern-handler.ts";
import type { OpenRequest } from "./open-request.ts";
import { keepAlive } from "./servers.ts";
import { type Carried, postLike, type SessionAcross } from "./session-across.ts";
import { SessionTransport } from "./session-transport.ts";
import { failure, nameFor, requestIn } from "./stream-name.ts";

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

/** One MCP session of a revision before 2026-07-28 over Streamable HTTP. */
export class McpSession {
  readonly id: string;
  readonly owner: string;
  /** Monotonic time in ms. */
  usedAt: number;
  /** Exchanges in progress. */
  exchanges = 0;
  readonly #options: McpSessionOptions;
  readonly #events: EventLog;
  /** The calls that run here and are known to other hubs, by the names of their streams. */
  readonly #shared = new Map<string, Carried>();
  readonly #open = new Map<RequestId, OpenRequest>();
  readonly #transport: SessionTransport;

  constructor(options: McpSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.owner = options.owner;
    this.usedAt = options.clock.monotonic();
    this.#events = new EventLog(
      (stream, first) => this.#began(stream, first),
      (stream) => void this.#release(stream),
      options.free,
    );
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
      const { across } = this.#options;
      if (across === undefined) return await this.#answer(exchange, body, authInfo);
      const resumed = lastEventId === null ? undefined : await this.#resume(across, exchange, lastEventId);
      if (resumed !== undefined) return await this.#answer(exchange, resumed.call, authInfo, resumed);
      for (const message of this.#transport.forOthers(body)) across.publish(message);
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

  /** Releases a call that its client resumes at another hub. */
  yield(stream: string): void {
    if (!this.#shared.has(stream)) return;
    this.#stop(stream);
    this.#events.drop(stream);
  }

  /** Resolves once its calls are left to the next hub. */
  async close(): Promise<void> {
    const left = [...this.#shared.keys()].map((stream) => this.#release(stream));
    for (const id of [...this.#open.keys()]) this.#forget(id);
    await this.#transport.close();
    this.#events.close();
    await Promise.all(left);
  }

  async #answer(exchange: McpExchange, body: unknown, authInfo: AuthInfo, carried?: Carried): Promise<void> {
    const messages = [body].flat();
    const asked = messages.filter((message) => isJSONRPCRequest(message)).map(({ id }) => id);
    for (const id of asked) this.#open.set(id, { stream: undefined, giveUp: () => {} });
    const handle = () => this.#transport.handleRequest(carried?.request ?? exchange.request, { authInfo, parsedBody: body });
    const { across } = this.#options;
    const response = await (carried === undefined || across === undefined ? handle() : across.carried.run(carried, handle));
    for (const message of messages) this.#endCancelled(message);
    if (response.headers.get("content-type") === "text/event-stream") await this.#stream(exchange, response, asked, carried?.stream);
    else {
      for (const id of asked) this.#forget(id);
      await exchange.send(response);
    }
  }

  /** The call of a resumed stream, if it continues here after running at another hub; undefined if the log has what there is of it. */
  async #resume(across: SessionAcross, { request }: McpExchange, lastEventId: string): Promise<Carried | undefined> {
    const { calls, onTakenUp } = across;
    const stream = streamOf(lastEventId);
    const isHere = this.#events.has(stream) || this.#shared.has(stream);
    const found = await calls.resume(this.id, stream, isHere, request.signal);
    this.#events.goOnAfter(lastEventId);
    if (found.kind === "here") return undefined;
    if (found.kind === "unknown") {
      const id = isHere ? undefined : requestIn(stream);
      if (id !== undefined) await this.#events.storeEvent(stream, failure(id, "its connection was lost for too long"));
      return undefined;
    }
    // The local state is from before another hub took over.
    const stale = this.#shared.get(stream);
    this.#stop(stream);
    this.#shared.delete(stream);
    this.#events.drop(stream);
    if (stale !== undefined) await this.#free(across, stale);
    if (found.kind === "done") {
      await this.#events.storeEvent(stream, found.response);
      return undefined;
    }
    const carried = { stream, call: found.call.request, request: postLike(request) };
    this.#shared.set(stream, carried);
    onTakenUp(carried.request, found.call, this);
    return carried;
  }

  /** A new stream: its call is published to the other hubs before the client learns what to resume. */
  async #began(stream: string, first: JSONRPCMessage): Promise<string | undefined> {
    const { across } = this.#options;
    const carried = across?.carried.getStore();
    if (across === undefined || carried === undefined) return undefined;
    if (carried.stream !== undefined) return carried.stream;
    if (isResponse(first)) return undefined;
    const name = nameFor(stream, carried.call.id);
    this.#shared.set(name, carried);
    await across.calls.begin(this.id, name, carried.call);
    return name;
  }

  /** Leaves a call to the next hub that its client connects to, once its local state is gone. */
  async #release(stream: string): Promise<void> {
    const carried = this.#shared.get(stream);
    this.#shared.delete(stream);
    const { across } = this.#options;
    if (carried === undefined || across === undefined) return;
    await this.#free(across, carried);
    await across.calls.release(this.id, stream);
  }

  /** Resolves when a stopped call has no local state left. */
  async #free(across: SessionAcross, { request }: Carried): Promise<void> {
    // The effects of its end have started by then.
    await new Promise((resolve) => globalThis.setTimeout(resolve));
    await across.whenFree(request);
  }

  #stop(stream: string): void {
    const id = this.#shared.get(stream)?.call.id;
    if (id === undefined || !this.#open.has(id)) return;
    // Nothing more is sent here: the stream is read at another hub.
    this.#transport.closeSSEStream(id);
    this.#cancel(id, movedElsewhere);
  }

  /** Keeps what was written, for a client that did not receive it although the connection was open. */
  async #finish(sent: Iterable<string>): Promise<void> {
    for (const eventId of sent) {
      const stream = streamOf(eventId);
      const response = this.#events.responseIn(eventId);
      if (response === undefined || !this.#shared.delete(stream)) continue;
      await this.#options.across?.calls.finish(this.id, stream, response);
    }
  }

  /** Sends a stream, and keeps the requests of a cut one until it is resumed or times out. */
  async #stream(exchange: McpExchange, response: Response, asked: readonly RequestId[], takenUp?: string): Promise<void> {
    const sent = new Set<string>();
    const resumed = takenUp === undefined ? exchange.request.headers.get("last-event-id") : null;
    let stream = takenUp ?? (resumed === null ? undefined : streamOf(resumed));
    for (const id of asked) {
      const open = this.#open.get(id);
      if (open !== undefined) open.stream = stream;
    }
    const mine = () => (resumed === null ? asked : [...this.#open].filter(([, open]) => open.stream === stream).map(([id]) => id));
    for (const id of mine()) this.#open.get(id)?.giveUp();
    const onFrame = (frame: string) => {
      const eventId = /^id: (\S+)$/m.exec(frame)?.[1];
      if (eventId === undefined) return;
      sent.add(eventId);
      stream = streamOf(eventId);
      for (const id of asked) {
        const open = this.#open.get(id);
        if (open !== undefined) open.stream = stream;
      }
    };
    await exchange.send(response, { onFrame, isBuffered: true });
    if (await exchange.finished) {
      await this.#finish(sent);
      return this.#events.reached(sent);
    }
    for (const id of mine()) this.#awaitResumption(id);
  }

  #awaitResumption(id: RequestId): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    if (open.stream === undefined) return this.#giveUp(id);
    open.giveUp();
    open.giveUp = this.#options.clock.setTimer(resumptionGrace, () => this.#giveUp(id));
  }

  /** Cancels a request as its client would. */
  #giveUp(id: RequestId): void {
    const stream = this.#open.get(id)?.stream;
    this.#cancel(id, "The call's stream was closed.");
    if (stream !== undefined && this.#shared.has(stream)) this.#events.drop(stream);
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
