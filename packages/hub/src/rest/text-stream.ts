/** A response body that is written over time. */
export interface TextStream {
  body: ReadableStream<Uint8Array>;
  send(text: string): void;
  /** Bytes sent that the connection has not accepted yet. */
  readonly bufferedAmount: number;
  /** Closes the stream after what was sent. */
  end(): void;
}

export function textStream(): TextStream {
  const encoder = new TextEncoder();
  let waiting: Uint8Array[] = [];
  let bufferedAmount = 0;
  let underWay = 0;
  let isEnded = false;
  /** The connection has accepted everything and asks for more. */
  let take: (() => void) | undefined;

  const flush = () => {
    if (take === undefined || (waiting.length === 0 && !isEnded)) return;
    const done = take;
    take = undefined;
    const chunk = joined(waiting);
    waiting = [];
    underWay = chunk.length;
    if (chunk.length > 0) controller?.enqueue(chunk);
    else controller?.close();
    done();
  };
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(own) {
        controller = own;
      },
      pull() {
        bufferedAmount -= underWay;
        underWay = 0;
        return new Promise((resolve) => {
          take = resolve;
          flush();
        });
      },
      cancel() {
        isEnded = true;
        waiting = [];
        take = undefined;
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    send(text) {
      if (isEnded) return;
      const chunk = encoder.encode(text);
      waiting.push(chunk);
      bufferedAmount += chunk.length;
      flush();
    },
    get bufferedAmount() {
      return bufferedAmount;
    },
    end() {
      isEnded = true;
      flush();
    },
  };
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only, ...others] = chunks;
  if (only !== undefined && others.length === 0) return only;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
