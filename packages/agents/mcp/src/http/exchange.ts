/**
 * One HTTP exchange, and whether its response was delivered. A client that does not read its stream is cut off at 1,000 messages or 4 MB, so
 * that it can't fill the memory.
 */

const decoder = new TextDecoder();
const encoder = new TextEncoder();
/** The HTTP status if nothing in a message needs a response. */
const accepted = 202;
/**
 * After how long a client opens a broken stream again, in ms. The SDK's clients try twice and then wait for nothing until their own limit,
 * so this is half of how long a hub may be away.
 */
export const retryAfter = 5_000;
/** A comment, so that neither client nor proxy has to wait for the headers, which are sent with the first bytes. */
const opening = `: askbox\nretry: ${retryAfter}\n\n`;

export interface SendOptions {
  onFrame?: ((frame: string) => void) | undefined;
  isBuffered?: boolean | undefined;
}

/** One HTTP request, its response, and the response's delivery. */
export class McpExchange {
  /** Its body is parsed separately. */
  readonly request: Request;
  /** Responses to the messages of a batch that could not be read. They are sent first, if the others are served. */
  refusals: readonly object[] = [];
  /** The response's status, once there is one. */
  status: number | undefined;
  /**
   * Whether the whole response was delivered; resolves when the exchange is over. A chunk counts as delivered when the server asks for the
   * next one, so this is exact for a server that waits until the system has accepted each chunk.
   */
  readonly finished: Promise<boolean>;
  /** Undefined once there is a response: its headers would stay in memory with its stream. */
  #answered: PromiseWithResolvers<Response> | undefined = Promise.withResolvers();
  readonly #ended = Promise.withResolvers<boolean>();
  #isOver = false;

  constructor(request: Request) {
    const { signal } = request;
    this.finished = this.#ended.promise;
    this.request = request;
    if (signal.aborted) this.#end(false);
    else signal.addEventListener("abort", () => this.#end(false), { once: true });
  }

  /** The response. Take it before anything is sent. */
  get response(): Promise<Response> {
    return this.#answered?.promise ?? Promise.reject(new Error("The response was sent."));
  }

  /** There is no response, and whoever waits for one gets the error. */
  fail(error: unknown): void {
    this.#answered?.reject(error);
    this.#answered = undefined;
  }

  /**
   * Sends the response; for a stream, the headers at once and each frame as it comes. `isBuffered`: its stream buffers without a limit, as the
   * SDK's do, and gets one here. Resolves when it is over.
   */
  send({ status, headers, body }: Response, { onFrame, isBuffered = false }: SendOptions = {}): Promise<void> {
    if (this.#isOver) return body?.cancel() ?? Promise.resolve();
    if (status === accepted && this.refusals.length > 0) return this.send(Response.json(this.refusals));
    const reader = body && (isBuffered ? boundedReader(body) : body.getReader());
    this.#answer(new Response(reader && this.#watched(reader, headers, onFrame), { status, headers }));
    if (body === null) this.#end(true);
    return this.finished.then(() => {});
  }

  #answer(response: Response): void {
    this.status ??= response.status;
    this.#answered?.resolve(response);
    this.#answered = undefined;
  }

  #watched(reader: ChunkReader, headers: Headers, onFrame: SendOptions["onFrame"]): ReadableStream<Uint8Array> {
    void this.finished.then((isWhole) => {
      if (!isWhole) reader.cancel().catch(() => {});
    });
    let isBegun = !headers.get("content-type")?.startsWith("text/event-stream");
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (!isBegun) {
            isBegun = true;
            const refused = this.refusals.map((each) => `event: message\ndata: ${JSON.stringify(each)}\n\n`);
            return controller.enqueue(encoder.encode([opening, ...refused].join("")));
          }
          const { done, value } = await reader.read().catch((error: unknown) => {
            this.#end(false);
            throw error;
          });
          if (done) {
            controller.close();
            return this.#end(true);
          }
          onFrame?.(decoder.decode(value));
          controller.enqueue(value);
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
    this.#ended.resolve(isWhole);
    if (isWhole) return;
    // Nobody reads it; releases a server that waits for a response.
    this.#answer(new Response(null, { status: 503 }));
  }
}

/** The maximum number of messages and bytes buffered for a client that does not read a stream; beyond that the stream is closed. */
export const maxUnread = { messages: 1_000, bytes: 4_194_304 };
/** The last thing such a client reads, if it continues to read. */
export const unreadComment = ": closed, since too much of this stream was not read; open another\n\n";

/** Reads the chunks of a response. */
type ChunkReader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** Reads a stream as fast as it comes, and keeps no more than the limit. A cut stream fails after `unreadComment`. */
function boundedReader(source: ReadableStream<Uint8Array>): ChunkReader {
  const reader = source.getReader();
  const queue: Uint8Array[] = [];
  let bytes = 0;
  let end: "whole" | "unread" | Error | undefined;
  let wake = () => {};
  const readAll = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (queue.length >= maxUnread.messages || bytes >= maxUnread.bytes) {
        end = "unread";
        queue.splice(0, queue.length, new TextEncoder().encode(unreadComment));
        return reader.cancel();
      }
      queue.push(next.value);
      bytes += next.value.length;
      wake();
    }
    end = "whole";
  };
  const failed = (error: unknown) => {
    end ??= error instanceof Error ? error : new Error(String(error));
  };
  void readAll()
    .catch(failed)
    .then(() => wake());
  return {
    async read() {
      while (queue.length === 0 && end === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const value = queue.shift();
      bytes -= value?.length ?? 0;
      if (value !== undefined) return { done: false, value };
      if (end === "whole") return { done: true, value: undefined };
      throw end instanceof Error ? end : new Error("The client does not read the stream.");
    },
    cancel: (reason) => reader.cancel(reason),
  };
}
