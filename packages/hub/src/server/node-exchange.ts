import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { AskboxError } from "@askbox/core";
import { problemOf, respond } from "../rest/problem.ts";

/** What a fetch handler is notified of the connection, as servers of Hono do. */
export interface NodeBindings {
  incoming: IncomingMessage;
}

/**
 * A fetch handler as a listener for Node's `http`, Express and Connect. Below a path of Express's the handler sees the whole path. Each chunk of a response is
 * asked for when the system has taken the one before, which is how askbox knows that an outcome was delivered.
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
      const request = requestOf(incoming, outgoing);
      return request === undefined ? noAddress() : fetch(request, { incoming });
    };
    // A body that fails has begun; its response is cut.
    answer()
      .then((response) => sendResponse(outgoing, response))
      .catch(() => outgoing.destroy());
  };
}

const noAddress = () => respond(problemOf(new AskboxError("VALIDATION", "The request's address cannot be read; send a path.")));

/** The request of Node's server as a web-standard one, aborted when the client goes away before the response was complete. */
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
    ...{ method, headers: headersOf(incoming), signal: gone.signal },
    ...(method !== "GET" && method !== "HEAD" && { body: bodyOf(incoming), duplex: "half" }),
  });
}

/** A request to open a WebSocket as one that a token, if there is one, was shown with. */
export function upgradeRequest(incoming: IncomingMessage, token: string): Request {
  const headers = headersOf(incoming);
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  return new Request(urlOf(incoming) ?? "http://unnamed.invalid", { headers });
}

/** The path as it was asked for, below whichever path of Express; undefined for what is none. */
export function targetOf(incoming: IncomingMessage & { originalUrl?: string }): string | undefined {
  const target = incoming.originalUrl ?? incoming.url ?? "/";
  if (target.includes("\\")) return undefined;
  if (target.startsWith("/")) return target;
  const url = /^https?:/i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  return url && url.pathname + url.search;
}

function urlOf(incoming: IncomingMessage): URL | undefined {
  const target = targetOf(incoming);
  const { host = "" } = incoming.headers;
  const scheme = "encrypted" in incoming.socket ? "https" : "http";
  // Whether the name is the hub's is for the hub to say.
  const name = /^[\w.:[\]-]+$/.test(host) && URL.canParse(`${scheme}://${host}`) ? host : "unnamed.invalid";
  return target === undefined || !URL.canParse(`${scheme}://${name}${target}`) ? undefined : new URL(`${scheme}://${name}${target}`);
}

/** Writes a response, and asks for each chunk of it when the system has taken the one before. Resolves when the exchange is over. */
async function sendResponse(outgoing: ServerResponse, { status, headers, body }: Response): Promise<void> {
  if (outgoing.destroyed) return void (await body?.cancel());
  const cookies = headers.getSetCookie();
  outgoing.writeHead(status, { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) });
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
  // A response that is cut while its client takes nothing is not waited for.
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

function headersOf({ headers: given, headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  // Node joins all headers that may come twice but one: who names two hosts names none.
  for (const [name, value] of Object.entries({ ...given, host: headersDistinct["host"] })) {
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  }
  return headers;
}
