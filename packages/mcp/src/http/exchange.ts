import type { IncomingMessage, ServerResponse } from "node:http";

const decoder = new TextDecoder();

/** One HTTP request and its response, between Node's server and the web-standard objects that the MCP SDK works on. */
export class Exchange {
  /** Without the body, which is read and parsed apart from it. */
  readonly request: Request;
  /** Whether the whole response has been handed to the system while the connection stood; resolves when the exchange is over. */
  readonly finished: Promise<boolean>;
  readonly #outgoing: ServerResponse;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#outgoing = outgoing;
    const gone = new AbortController();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.finished = promise;
    outgoing.once("finish", () => resolve(true));
    outgoing.once("close", () => {
      resolve(false);
      if (!outgoing.writableFinished) gone.abort();
    });
    if (outgoing.destroyed) {
      resolve(false);
      gone.abort();
    }
    this.request = new Request(new URL(incoming.url ?? "/", `http://${incoming.headers.host}`), {
      method: incoming.method ?? "GET",
      headers: headersOf(incoming),
      signal: gone.signal,
    });
  }

  /** Sends the response; of a stream the headers at once, and each frame as it comes. Resolves when it is over. */
  async send(response: Response, onFrame: (frame: string) => void = () => {}): Promise<void> {
    const { status, headers, body } = response;
    if (this.#outgoing.destroyed) return void (await body?.cancel());
    this.#outgoing.writeHead(status, Object.fromEntries(headers));
    // A comment, so that neither client nor proxy waits for the headers; those go out with the first bytes.
    if (headers.get("content-type")?.startsWith("text/event-stream")) this.#outgoing.write(": askbox\n\n");
    if (body !== null) await this.#pump(body, onFrame);
    this.#outgoing.end();
    await this.finished;
  }

  async #pump(body: ReadableStream<Uint8Array>, onFrame: (frame: string) => void): Promise<void> {
    const outgoing = this.#outgoing;
    const reader = body.getReader();
    outgoing.once("close", () => void reader.cancel().catch(() => {}));
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) return;
      onFrame(decoder.decode(value));
      if (!outgoing.write(value)) await roomIn(outgoing);
    }
  }
}

function roomIn(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go);
      outgoing.off("close", go);
      resolve();
    };
    outgoing.once("drain", go);
    outgoing.once("close", go);
  });
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  return headers;
}
