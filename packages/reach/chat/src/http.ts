import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import type { Clock } from "@askbox/core";

/** Requests to a service: one call, one file, and a `fetch` that takes little memory. None rejects but `smallFetch`, and no error names an address, which may contain a token. */

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Bytes of one answer of a service; a longer one counts as a failure. */
const maxAnswer = 4_194_304;
/** Failures after which nothing can have arrived: there was no connection. */
const unconnected =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/** An answer of a service; or none, with status 0. */
export interface Answered {
  status: number;
  body?: unknown;
  headers?: Headers;
  /** Milliseconds. */
  retryAfter?: number | undefined;
  /** Why there is no answer, and whether the request may have arrived. */
  failure?: { why: string; mayHaveArrived: boolean };
}

export interface CallOptions {
  clock: Clock;
  fetch: Fetch;
  /** Milliseconds until it counts as failed. */
  timeout: number;
  signal?: AbortSignal | undefined;
}

/** One request, of which no error names the address: it may contain a token. Never rejects. */
export async function call(url: string, init: RequestInit, { clock, fetch, timeout, signal }: CallOptions): Promise<Answered> {
  const late = new AbortController();
  const cancel = clock.setTimer(timeout, () => late.abort());
  try {
    const signals = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    const response = await fetch(url, { redirect: "manual", ...init, signal: signals });
    const text = Buffer.from(await readBounded(response, maxAnswer)).toString("utf8");
    const { status, headers } = response;
    return { status, headers, body: parsed(text), retryAfter: secondsOf(headers.get("retry-after")) };
  } catch (error) {
    const code = codeOf(error);
    const why = late.signal.aborted ? `it did not answer in ${timeout / 1_000} s` : `it cannot be reached (${code})`;
    return { status: 0, failure: { why, mayHaveArrived: !unconnected.test(code) } };
  } finally {
    cancel();
  }
}

/** The bytes of a file; or that it has more than it may, or could not be fetched. */
export type Fetched = { bytes: Uint8Array<ArrayBuffer> } | { failure: "large" | "lost" };

/** Milliseconds for a file. */
const fileTimeout = 60_000;

/** A file of a service, without following a redirect. Never rejects. */
export async function fetchFile(
  url: string,
  { clock, fetch, most, headers = {} }: { clock: Clock; fetch: Fetch; most: number; headers?: Record<string, string> },
): Promise<Fetched> {
  const late = new AbortController();
  const cancel = clock.setTimer(fileTimeout, () => late.abort());
  try {
    const response = await fetch(url, { headers, redirect: "manual", signal: late.signal });
    if (response.status === 200) return { bytes: await readBounded(response, most) };
    await response.body?.cancel();
    return { failure: "lost" };
  } catch (error) {
    return { failure: error instanceof TooLarge ? "large" : "lost" };
  } finally {
    cancel();
  }
}

class TooLarge extends Error {}

async function readBounded(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The value of a JSON text; undefined for any other. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Milliseconds of a header in seconds; undefined if it is none. */
export const secondsOf = (text: string | null | undefined): number | undefined =>
  text && /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) * 1_000 : undefined;

/** `fetch failed` alone is not helpful; its cause has a code, and neither contains the address. */
function codeOf(error: unknown): string {
  const { cause, name } = error as { cause?: { code?: string }; name?: string };
  return cause?.code ?? (error instanceof TooLarge ? "its answer is too large" : (name ?? "Error"));
}

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
