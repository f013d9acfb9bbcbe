import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, MessageExtraInfo, Transport } from "@modelcontextprotocol/server";

/** The server's side of revision 2024-11-05's HTTP with SSE: one stream that lasts as long as the session, and POSTs beside it. */
export class SseTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  readonly sessionId: string;
  readonly #outgoing: ServerResponse;
  readonly #endpoint: string;
  #isClosed = false;

  /** `endpoint` is where the client is to send its messages: a path with a query. */
  constructor(sessionId: string, outgoing: ServerResponse, endpoint: string) {
    this.sessionId = sessionId;
    this.#outgoing = outgoing;
    this.#endpoint = endpoint;
  }

  async start(): Promise<void> {
    this.#outgoing.once("close", () => this.#end());
    this.#outgoing.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    this.#outgoing.write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
  }

  /** Resolves when the system has taken the message, so that what is written to a client that has gone does not count as sent. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error("The client has closed the stream."));
    return new Promise((resolve, reject) => {
      this.#outgoing.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Keeps proxies from hanging up. */
  keepAlive(): void {
    if (!this.#isClosed) this.#outgoing.write(": keepalive\n\n");
  }

  async close(): Promise<void> {
    this.#outgoing.end();
    this.#end();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}
