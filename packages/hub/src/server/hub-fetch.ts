// From the outside to the routes: where the hub is reached, which pages may talk to it, and how a request of another origin loses every
// credential that it did not send itself.

import type { IncomingMessage } from "node:http";
import { AskboxError, type ErrorCode, type Log, toAskboxError } from "@askbox/core";
import type { Hono } from "hono";
import { browserOrigin, type HostCheck, outsideOrigins, type Source } from "../auth/host-check.ts";
import type { RestEnv } from "../rest/context.ts";
import { Exchange, type RequestSource, type RequestSources } from "../rest/exchange.ts";
import { isFault, problemResponse } from "../rest/problem.ts";
import type { FetchBindings, HubOptions } from "./hub-options.ts";
import type { Mount } from "./mount.ts";
import type { NodeServer } from "./node-server.ts";

interface HubFetchOptions {
  app: Hono<RestEnv>;
  mounts: readonly Mount[];
  visits: RequestSources;
  hosts: HostCheck;
  basePath: string;
  /** Visits in progress. */
  exchanges: Set<Exchange>;
  onRefused: ((code: ErrorCode) => void) | undefined;
  /** Whether a request came by the hub's socket in the file system: no browser does, so its host name doesn't matter. */
  isInFiles(incoming: IncomingMessage | undefined): boolean;
  log: Log;
}

/** The hub as a fetch handler: checks access and dispatches to the right part. It never rejects. */
export function hubFetch({ app, mounts, visits, hosts, basePath, exchanges, onRefused, isInFiles, log }: HubFetchOptions) {
  const mountAt = new Map(mounts.flatMap((mount) => mount.paths.map((path) => [basePath + path, mount] as const)));

  const route = async (request: Request, visit: RequestSource, exchange: Exchange): Promise<Response> => {
    const mount = mountAt.get(new URL(request.url).pathname);
    const counted = withCountedBody(request, exchange);
    visits.set(counted, visit);
    return mount?.fetch(counted) ?? app.fetch(counted, { exchange, address: visit.incoming?.socket.remoteAddress ?? "" });
  };
  const answer = async (request: Request, visit: RequestSource, exchange: Exchange): Promise<Response> => {
    const source = sourceOf(request);
    try {
      if (!isInFiles(visit.incoming)) hosts.checkHost(source);
      hosts.checkOrigin(source);
      if (!hosts.isGuest(source.origin)) return await route(request, visit, exchange);
      const response = preflight(request) ?? (await route(asGuest(request), { ...visit, own: undefined }, exchange));
      return readableBy(source.origin ?? "", response);
    } catch (error) {
      onRefused?.(toAskboxError(error).code);
      if (isFault(toAskboxError(error))) log("error", "A request failed", { path: new URL(request.url).pathname, error: String(error) });
      return problemResponse(error);
    }
  };

  return async (request: Request, { incoming }: FetchBindings = {}): Promise<Response> => {
    const exchange = new Exchange(request);
    exchanges.add(exchange);
    void exchange.finished.then(() => exchanges.delete(exchange));
    return exchange.send(answer(request, { incoming, exchange, own: incoming }, exchange));
  };
}

/** Declared bodies up to this many bytes are parsed as they come. */
const small = 16_384;

/** The request; unless it declares that its body is small, with one that is counted and waits for its turn. */
function withCountedBody(request: Request, exchange: Exchange): Request {
  const { url, method, headers, body, signal } = request;
  const declared = headers.get("content-length");
  if (body === null || (declared !== null && Number(declared) <= small)) return request;
  // The types of Node's own `fetch` do not know `duplex`, which it requires.
  const streamed = { body: exchange.counted(body, declared !== null), duplex: "half" as const };
  return new Request(url, { method, headers, signal, ...streamed });
}

/** Where a request comes from. */
export const sourceOf = ({ headers, url }: Request): Source => ({
  host: headers.get("host") ?? new URL(url).host,
  origin: headers.get("origin") ?? undefined,
  isTls: (headers.get("x-forwarded-proto")?.split(",")[0]?.trim() ?? url.slice(0, url.indexOf(":"))) === "https",
  isForwarded: headers.has("x-forwarded-proto"),
});

/** What a page of an allowed origin may send and read (Fetch Standard, section 3.3). It uses a token; cookies are not sent. */
const allowances: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
  "access-control-allow-headers": "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id",
  "access-control-expose-headers": "location, retry-after, www-authenticate, mcp-session-id",
  "access-control-max-age": "600",
};

/** The response to a CORS preflight; undefined if the request is not one. */
function preflight(request: Request): Response | undefined {
  const asks = request.method === "OPTIONS" && request.headers.has("access-control-request-method");
  return asks ? new Response(null, { status: 204 }) : undefined;
}

/** What a page of another origin can set itself, and what describes its request. Everything else was added by the browser or a proxy. */
const guestHeaders = new Set([
  ...(allowances["access-control-allow-headers"] ?? "").split(", "),
  ...["accept", "accept-language", "content-length", "host", "origin", "user-agent", "x-forwarded-proto"],
]);

/**
 * The request without credentials that the page did not send itself: cookies, a password that the browser remembers, or the user that a
 * proxy has found out from them. A page of another origin authenticates with its token only.
 */
export function asGuest({ url, method, headers: original, body, signal }: Request): Request {
  const headers = new Headers([...original].filter(([name]) => guestHeaders.has(name)));
  if (!/^Bearer /i.test(headers.get("authorization") ?? "")) headers.delete("authorization");
  // Passes the body itself on, since a cloned request reads ahead.
  return new Request(url, { method, headers, signal, ...(body !== null && { body, duplex: "half" }) });
}

/** Lets the page of this origin read a response. */
function readableBy(origin: string, { status, headers: original, body }: Response): Response {
  const headers = new Headers(original);
  for (const [name, value] of Object.entries(allowances)) headers.set(name, value);
  headers.set("access-control-allow-origin", origin);
  headers.append("vary", "Origin");
  return new Response(body, { status, headers });
}

/** A path that needs no escaping anywhere; empty for the root. */
const plainPath = /^(\/[\w.~-]+)*$/;

/**
 * Where a hub is reached. `server` is asked later, since it is created with what depends on the address. Throws `VALIDATION` for what is no
 * path or origin.
 */
export function hubAddress(
  { origin, basePath: mountedAt = "", tls, allowedHosts = [] }: Pick<HubOptions, "origin" | "basePath" | "tls" | "allowedHosts">,
  server: () => Pick<NodeServer, "at" | "certificate">,
) {
  const basePath = checkedBasePath(mountedAt);
  if (typeof origin === "string") checkedOrigin(origin);
  const configured = () => {
    const text = typeof origin === "function" ? origin() : origin;
    return text === undefined ? undefined : checkedOrigin(text);
  };
  const own = () => {
    const named = configured();
    const { at } = server();
    if (at !== undefined) return at.origin;
    if (named !== undefined) return named.origin + named.path;
    throw new AskboxError("VALIDATION", "The hub does not know its address; call listen, or pass origin to createHub.");
  };
  return {
    basePath,
    /** Throws `VALIDATION` if the hub neither listens nor has an `origin`. */
    url: () => own() + basePath,
    /** The `origin` of the options, without its path. */
    configured: () => configured()?.origin,
    /** The prefix of the hub's paths, as the sender of a request sees them. */
    publicPath(request: Request): string {
      const named = configured();
      // A hub that listens itself is also reached without the proxy.
      const isDirect = server().at !== undefined && named !== undefined && sourceOf(request).host !== new URL(named.origin).host;
      return (isDirect ? "" : (named?.path ?? "")) + basePath;
    },
    /** Where browsers find the page, without a trailing slash: those on this machine, and those on others. Throws like `url`. */
    ofPage() {
      const { at, certificate } = server();
      const outside = at === undefined ? [] : outsideOrigins({ ...at, tls: tls !== undefined, allowedHosts });
      return { own: browserOrigin(own(), outside, certificate) + basePath, outside: outside.map((each) => each + basePath) };
    },
  };
}

function checkedBasePath(basePath: string): string {
  if (plainPath.test(basePath)) return basePath;
  throw new AskboxError("VALIDATION", 'A basePath must start with a slash and not end with one, such as "/askbox".');
}

/** An origin, which may have a path that a proxy strips, without a trailing slash. Throws `VALIDATION`. */
function checkedOrigin(origin: string): { origin: string; path: string } {
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const path = url?.pathname.replace(/\/$/, "") ?? "";
  if (url !== undefined && /^https?:$/.test(url.protocol) && plainPath.test(path)) return { origin: url.origin, path };
  throw new AskboxError(
    "VALIDATION",
    'An origin must be an http or https URL, such as "https://app.example" or "https://app.example/tools".',
  );
}
