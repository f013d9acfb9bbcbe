import type { IncomingMessage } from "node:http";
import { type ErrorCode, type Log, toAskboxError } from "@askbox/core";
import type { Hono } from "hono";
import type { HostCheck, Source } from "../auth/host-check.ts";
import type { RestEnv } from "../rest/context.ts";
import { Exchange, type RequestSource, type RequestSources } from "../rest/exchange.ts";
import { isFault, problemResponse } from "../rest/problem.ts";
import { asGuest, preflight, readableBy } from "./cross-origin.ts";
import type { Mount } from "./mount.ts";

/** Information about a request's connection; compatible with the bindings of Hono's Node server. */
export interface FetchBindings {
  incoming?: IncomingMessage | undefined;
}

export interface HubFetchOptions {
  app: Hono<RestEnv>;
  mounts: readonly Mount[];
  visits: RequestSources;
  hosts: HostCheck;
  basePath: string;
  /** Visits in progress. */
  exchanges: Set<Exchange>;
  onRefused: ((code: ErrorCode) => void) | undefined;
  log: Log;
}

/** The hub as a fetch handler: checks access and dispatches to the right part. It never rejects. */
export function hubFetch({ app, mounts, visits, hosts, basePath, exchanges, onRefused, log }: HubFetchOptions) {
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
      hosts.checkHost(source);
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
