import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import type { Fetch } from "./http.ts";

/** Statuses of answers that have no body. */
const bodiless = new Set([204, 205, 304]);

/** One request, as `fetch` makes it, which follows no redirect: Node's own takes some 17 MB from its first requests on, for as long as the hub runs. */
export const smallFetch: Fetch = async (url, { method = "GET", headers, body, signal }) => {
  // It knows the type of every kind of body, and its bytes.
  const sent = new Response(body);
  const bytes = Buffer.from(await sent.arrayBuffer());
  const all = new Headers({ accept: "*/*", "user-agent": "askbox" });
  for (const more of [sent.headers, new Headers(headers)]) for (const [name, value] of more) all.set(name, value);
  if (bytes.byteLength > 0 || method !== "GET") all.set("content-length", String(bytes.byteLength));
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = url.startsWith("https:") ? requestHttps : requestHttp;
    const options = { method, headers: Object.fromEntries(all), ...(signal && { signal }) };
    request(url, options, resolve)
      .on("error", (cause) => reject(new TypeError("fetch failed", { cause })))
      .end(bytes);
  });
  const { statusCode: status = 0, headersDistinct } = answer;
  const received = new Headers(Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value) => [name, value])));
  if (!bodiless.has(status)) return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers: received });
  answer.resume();
  return new Response(null, { status, headers: received });
};
