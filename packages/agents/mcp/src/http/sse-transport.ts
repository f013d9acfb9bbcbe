import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";
import { maxUnread, unreadComment } from "./unread.ts";

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
