import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AskboxError } from "@askbox/core";
import { problemOf, respond } from "../rest/problem.ts";

/** Information about the connection for a fetch handler, as Hono's servers pass it. */
export interface NodeBindings {
  incoming: IncomingMessage;
}

/**
 * A fetch handler as a listener for Node's `http`, Express and Connect. Below an Express path, the handler sees the full path. Each chunk
 * of a response is requested once the system has accepted the one before, which is how askbox knows that an outcome was delivered.
 *
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { type Hub, nodeListener } from "@askbox/hub";
 *
 * export const serve = (hub: Hub) => createServer(nodeListener(hub.fetch)).on("upgrade", hub.upgrade).listen(3000);
 * ```
 */
export function nodeListener(fetch: (request: Request, bindings: NodeBindings) => Response | Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    const answer = async () => {
      if (incoming.method === "TRACE") return noMethod();
      const request = requestOf(incoming, outgoing);
      return request === undefined ? noAddress() : fetch(request, { incoming });
    };
    // If the body fails, the response has already begun, and is cut.
    answer()
      .then((response) => sendResponse(outgoing, response))
      .catch(() => outgoing.destroy());
  };
}

/** The one method that Node passes on and a web-standard request cannot have. */
const noMethod = () => new Response(null, { status: 405, headers: { allow: "GET, HEAD, POST, PATCH, DELETE, OPTIONS" } });

const noAddress = () => respond(problemOf(new AskboxError("VALIDATION", "The request's URL is not valid; send a path.")));

/** The Node request as a web-standard one, aborted when the client disconnects before the response is complete. */
function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request | undefined {
  const url = urlOf(incoming);
  if (url === undefined) return undefined;
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  if (outgoing.destroyed) gone.abort();
  const method = incoming.method ?? "GET";
  return new Request(url, {
    method,
    headers: headersOf(incoming),
    signal: gone.signal,
    ...(method !== "GET" && method !== "HEAD" && { body: bodyOf(incoming), duplex: "half" }),
  });
}

/** A WebSocket upgrade as a request, with the token, if there is one, as its `Authorization`. */
export function upgradeRequest(incoming: IncomingMessage, token: string): Request {
  const headers = { ...headersOf(incoming), ...(token !== "" && { authorization: `Bearer ${token}` }) };
  return new Request(urlOf(incoming) ?? "http://unnamed.invalid", { headers });
}

/** The path as requested, below any path of Express; undefined if it is not a path. */
export function targetOf(incoming: IncomingMessage & { originalUrl?: string }): string | undefined {
  const target = incoming.originalUrl ?? incoming.url ?? "/";
  if (target.includes("\\")) return undefined;
  if (target.startsWith("/")) return target;
  const url = /^https?:/i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  return url && url.pathname + url.search;
}

function urlOf(incoming: IncomingMessage): URL | undefined {
  const target = targetOf(incoming);
  if (target === undefined) return undefined;
  const { host = "" } = incoming.headers;
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  // The hub checks whether the host name is its own.
  const named = /^[\w.:[\]-]+$/.test(host) ? URL.parse(`${scheme}://${host}${target}`) : null;
  return named ?? URL.parse(`${scheme}://unnamed.invalid${target}`) ?? undefined;
}

/** Writes a response, requesting each chunk once the system has accepted the one before. Resolves when the exchange is over. */
function sendResponse(outgoing: ServerResponse, { status, headers, body }: Response): Promise<void> | undefined {
  if (outgoing.destroyed) return body?.cancel();
  const cookies = headers.getSetCookie();
  outgoing.writeHead(status, { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) });
  return deliver(outgoing, body);
}

/** Apart, so that no response with its headers stays in memory as long as its stream. */
async function deliver(outgoing: ServerResponse, body: ReadableStream<Uint8Array> | null): Promise<void> {
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
  // Do not wait for a client that reads nothing when the response is cut.
  reader.closed.catch(() => outgoing.destroy());
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) return;
    await new Promise<void>((resolve) => {
      go = resolve;
      outgoing.write(value, () => resolve());
    });
  }
}

/** Node reads and drops the excess: if the connection were cut instead, the response would be lost. */
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
    // A body that is not read is left to Node.
    { highWaterMark: 0 },
  );
}

function headersOf({ headers: joined, rawHeaders }: IncomingMessage): Record<string, string> {
  // keys: names of headers, which are only passed on.
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(joined)) if (value !== undefined) headers[name] = String(value);
  // Node joins repeated headers except this one: a request with two hosts has none.
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "host");
  if (hosts.length > 1) headers["host"] = hosts.join();
  return headers;
}
