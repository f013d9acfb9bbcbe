const decoder = new TextDecoder();
/** A comment, so that neither client nor proxy waits for the headers; those go out with the first bytes. */
const opening = new TextEncoder().encode(": askbox\n\n");

/** One HTTP request, its response, and what is known of the response's way to the client. */
export class Exchange {
  /** Without the body, which is read and parsed apart from it. It is aborted when the client goes away before the response was complete. */
  readonly request: Request;
  readonly response: Promise<Response>;
  /**
   * Whether the whole response was taken while the connection stood; resolves when the exchange is over. A chunk counts as taken when the
   * server comes for the next one, so that a server which waits until the system has each chunk makes this exact.
   */
  readonly finished: Promise<boolean>;
  readonly #gone = new AbortController();
  readonly #answered = Promise.withResolvers<Response>();
  readonly #ended = Promise.withResolvers<boolean>();
  #isOver = false;

  constructor({ url, method, headers, signal }: Request) {
    this.response = this.#answered.promise;
    this.finished = this.#ended.promise;
    this.request = new Request(url, { method, headers, signal: this.#gone.signal });
    if (signal.aborted) this.#end(false);
    else signal.addEventListener("abort", () => this.#end(false), { once: true });
  }

  /** Sends the response; of a stream the headers at once, and each frame as it comes. Resolves when it is over. */
  async send(response: Response, onFrame: (frame: string) => void = () => {}): Promise<void> {
    const { status, headers, body } = response;
    if (this.#isOver) return void (await body?.cancel());
    this.#answered.resolve(new Response(body && this.#watched(body, headers, onFrame), { status, headers }));
    if (body === null) this.#end(true);
    await this.finished;
  }

  #watched(body: ReadableStream<Uint8Array>, headers: Headers, onFrame: (frame: string) => void): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    void this.finished.then((isWhole) => {
      if (!isWhole) reader.cancel().catch(() => {});
    });
    let isBegun = !headers.get("content-type")?.startsWith("text/event-stream");
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (!isBegun) {
            isBegun = true;
            return controller.enqueue(opening);
          }
          const { done, value } = await reader.read().catch((error: unknown) => {
            this.#end(false);
            throw error;
          });
          if (done) {
            controller.close();
            return this.#end(true);
          }
          onFrame(decoder.decode(value));
          controller.enqueue(value);
        },
        cancel: () => this.#end(false),
      },
      // Nothing is read ahead: what was read counts as being on its way to the client.
      { highWaterMark: 0 },
    );
  }

  #end(isWhole: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended.resolve(isWhole);
    if (isWhole) return;
    this.#gone.abort();
    // Nobody reads it; a server that waits for a response is let go.
    this.#answered.resolve(new Response(null, { status: 503 }));
  }
}
