import type { IncomingMessage, ServerResponse } from "node:http";

/** The request of Node's server as a web-standard one, aborted when the client goes away before the response was complete. */
export function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  if (outgoing.destroyed) gone.abort();
  const method = incoming.method ?? "GET";
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  return new Request(new URL(incoming.url ?? "/", `${scheme}://${incoming.headers.host}`), {
    ...{ method, headers: headersOf(incoming), signal: gone.signal },
    ...(method !== "GET" && method !== "HEAD" && { body: bodyOf(incoming), duplex: "half" }),
  });
}

/** Writes a response, and asks for each chunk of it when the system has taken the one before. Resolves when the exchange is over. */
export async function sendResponse(outgoing: ServerResponse, { status, headers, body }: Response): Promise<void> {
  if (outgoing.destroyed) return void (await body?.cancel());
  outgoing.writeHead(status, Object.fromEntries(headers));
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  if (body !== null) await pump(body, outgoing);
  outgoing.end();
  await closed;
}

async function pump(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let go = () => {};
  outgoing.once("close", () => {
    reader.cancel().catch(() => {});
    go();
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) return;
    await new Promise<void>((resolve) => {
      go = resolve;
      outgoing.write(value, () => resolve());
    });
  }
}

/** What is too much is read on and dropped by Node: a connection that is cut instead would take the answer along. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming.iterator({ destroyOnReturn: false });
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
        incoming.resume();
      },
    },
    // A body that nobody reads is left to Node as it is.
    { highWaterMark: 0 },
  );
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  return headers;
}
