import type { IncomingMessage } from "node:http";
import { AskboxError } from "@askbox/core";
import { type Access, accessEnded, type Uses } from "../auth/access.ts";
import { type Holding, heldBy, parsedFactor } from "../limits/held-bytes.ts";
import { problemResponse, securityHeaders } from "./problem.ts";

/** Where a request came from, and its exchange. */
export interface RequestSource {
  incoming: IncomingMessage | undefined;
  /** The same, unless it comes from a page of another origin, which authenticates with its token only. */
  own: IncomingMessage | undefined;
  /** Undefined for a connection that opened a WebSocket. */
  exchange: Exchange | undefined;
}

/** The visits in progress, by request. */
export type RequestSources = WeakMap<Request, RequestSource>;

/** One HTTP request and the delivery of its response. */
export class Exchange {
  readonly #gone = new AbortController();
  readonly #finished = Promise.withResolvers<boolean>();
  /** Gives up waiting for a response. Nothing here refers to a response that was sent: its headers would stay in memory with its stream. */
  #giveUp: (() => void) | undefined;
  #isAnswered = false;
  #onAnswered = () => {};
  #holding: Holding | undefined;
  #isOver = false;

  constructor(request: Request) {
    const { signal } = request;
    if (signal.aborted) this.cut(signal.reason);
    else signal.addEventListener("abort", () => this.cut(signal.reason), { once: true });
  }

  /** Aborts when the client disconnects before the whole response was sent, and on `cut`. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /**
   * Whether the whole response was delivered; resolves when the exchange is over. A chunk counts as delivered when the server asks for the
   * next one, so this is exact for a server that waits until the system has accepted each chunk.
   */
  get finished(): Promise<boolean> {
    return this.#finished.promise;
  }

  /** Resolves when there is a response, or nothing waits for one. The hub's, when it closes. */
  answered(): Promise<void> {
    if (this.#isAnswered) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onAnswered = resolve;
    });
  }

  /** Ends the connection; if there is no response yet, the client gets the reason. */
  cut(reason: unknown = gone()): void {
    if (this.#isOver) return;
    this.#gone.abort(reason);
    this.#end(false);
  }

  /**
   * Counts the request with its body, in bytes, and from now on its response, for a token. Throws `RATE_LIMITED`; then it counts nothing. A
   * request of which nobody waits for the response any more counts nothing either.
   */
  count(holding: Holding, bodyBytes: number): void {
    if (this.#holding !== undefined || this.#isOver) return;
    holding.hold(heldBy.request + parsedFactor * bodyBytes);
    this.#holding = holding;
  }

  /**
   * A body that ends when it is the turn of its request to be parsed. If it doesn't declare its size, it is counted as it arrives, and fails
   * with `RATE_LIMITED`.
   */
  counted(body: ReadableStream<Uint8Array>, isDeclared: boolean): ReadableStream<Uint8Array> {
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    return new ReadableStream(
      {
        pull: async (controller) => {
          reader ??= body.getReader();
          const { done, value } = await reader.read();
          if (done) {
            await this.#holding?.turn();
            return controller.close();
          }
          if (!isDeclared) this.#holding?.hold(parsedFactor * value.length);
          controller.enqueue(value);
        },
        cancel: (reason) => (reader ?? body).cancel(reason),
      },
      // A body that is not read is left to the server.
      { highWaterMark: 0 },
    );
  }

  /** Ends the connection when the access is revoked or expires. Throws `UNAUTHORIZED` if it already was. */
  endWith(access: Access, uses: Uses): void {
    const release = uses.begin(access, () => this.cut(accessEnded()));
    void this.finished.then(release);
  }

  /**
   * The response as sent, with default headers unless it sets its own. Resolves with the reason as soon as the exchange is cut; a later
   * response is dropped.
   */
  send(answer: Promise<Response>): Promise<Response> {
    const sent = Promise.withResolvers<Response>();
    this.#giveUp = () => sent.resolve(this.#sent(problemResponse(this.signal.reason)));
    if (this.#isOver) this.#giveUp();
    const { resolve, reject } = sent;
    void answer.then((response) => {
      this.#giveUp = undefined;
      if (!this.#isOver) return resolve(this.#sent(response));
      response.body?.cancel().catch(() => {});
    }, reject);
    return sent.promise;
  }

  #sent({ status, headers: own, body }: Response): Response {
    const isWatched = body !== null && !this.#isOver;
    if (body === null) this.#end(true);
    this.#isAnswered = true;
    this.#onAnswered();
    const sent = new Response(isWatched ? this.#watched(body) : body, { status, headers: own });
    for (const [name, value] of Object.entries(securityHeaders)) if (!sent.headers.has(name)) sent.headers.set(name, value);
    return sent;
  }

  #watched(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    /** The size of the chunk that is being written. */
    let unread = 0;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          void this.finished.then((isWhole) => {
            if (isWhole) return;
            controller.error(gone());
            reader.cancel().catch(() => {});
          });
        },
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read();
            if (this.#isOver) return;
            this.#holding?.drop(unread);
            unread = value?.length ?? 0;
            this.#holding?.hold(unread);
            if (!done) return controller.enqueue(value);
            controller.close();
            this.#end(true);
          } catch (error) {
            this.#end(false);
            throw error;
          }
        },
        cancel: () => this.#end(false),
      },
      // Nothing is read ahead: what was read counts as delivered.
      { highWaterMark: 0 },
    );
  }

  #end(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#holding?.end();
    this.#finished.resolve(isWhole);
    this.#giveUp?.();
    this.#giveUp = undefined;
    this.#isAnswered = true;
    this.#onAnswered();
  }
}

const gone = () => new AskboxError("ABORTED", "The connection was closed before the response was complete.");
