// What the REST handlers know of a request: who sent it, and its body, read up to a limit and checked against a schema.

import { type Answerer, AskboxError, type Broker, type Log, type Platform } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import { isExactJson, isTooManyValues, parseAskJson } from "@askbox/core/schemas";
import { onlyForItself } from "@askbox/wire";
import type { Context, MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { Access, Uses } from "../auth/access.ts";
import type { AskLimits } from "../limits/ask-limits.ts";
import type { HubAdvice } from "../server/advice.ts";
import type { Exchange } from "./exchange.ts";

/** The Hono variables of a request. */
export interface RestEnv {
  Bindings: {
    exchange: Exchange;
    /** The client's address; empty if the server that the hub is mounted on does not provide it. */
    address: string;
  };
  Variables: { access: Access; uses: Uses; maxBytes: number };
}

/** What the routes depend on. */
export interface RestContext {
  broker: Broker;
  platform: Platform;
  limits: AskLimits;
  /** The prefix of the hub's paths as the sender of a request sees them, such as `/askbox`: its proxy may strip some of it. */
  publicPath(request: Request): string;
  /** Milliseconds; for asks that do not set one. */
  defaultTimeout: number | undefined;
  /** Aborts when the hub begins to close. */
  closing: AbortSignal;
  advice: HubAdvice;
  log: Log;
}

/** Who a request acts for: a browser's device, or a program, named after its token if that has a name. */
export function answererOf(c: Context<RestEnv>, by?: { name: string }): Answerer {
  const { device, name, person = device?.name ?? name, onBehalf } = c.get("access");
  if (by !== undefined && !onBehalf) throw onlyForItself();
  return { surface: device === undefined ? "api" : "web", name: by?.name ?? person };
}

/** Refuses larger bodies with `PAYLOAD_TOO_LARGE`: immediately if they declare their size, otherwise once the limit is reached. */
export function limitBody(maxBytes: number): MiddlewareHandler<RestEnv> {
  return async (c, next) => {
    if (Number(c.req.header("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
    c.set("maxBytes", maxBytes);
    await next();
  };
}

/**
 * The request's body as JSON. `exact`: rejects arguments that would not be passed on as they were written. Throws `VALIDATION`, `PAYLOAD_TOO_LARGE`, `ABORTED` if the client disconnects, and `UNAUTHORIZED` if its
 * token was revoked before the body was complete.
 */
export async function readJson(c: Context<RestEnv>, { exact = false } = {}): Promise<unknown> {
  // Without a byte order mark.
  const text = new TextDecoder().decode(await readBody(c.req.raw.body, c.get("maxBytes")));
  // At login, nobody has access yet.
  const access: Access | undefined = c.get("access");
  if (access !== undefined) c.get("uses").check(access);
  const body = parsed(text);
  if (exact && /"input"|\\u/.test(text) && !isExactJson(text)) {
    throw new AskboxError("VALIDATION", "The arguments have a number that would be changed, a name twice or __proto__; send others.");
  }
  if (isTooManyValues(body)) throw new AskboxError("VALIDATION", "The body has too many values; send a shorter list.");
  return body;
}

function parsed(text: string): unknown {
  try {
    return text.trim() === "" ? {} : parseAskJson(text);
  } catch {
    throw new AskboxError("VALIDATION", "The body is not valid JSON; send one JSON object.");
  }
}

async function readBody(stream: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const piece of stream ?? []) {
      bytes += piece.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof AskboxError) throw error;
    throw new AskboxError("ABORTED", "The client went away before its request was complete.", { cause: error });
  }
  return Buffer.concat(pieces);
}

const maxIssues = 20;
const maxFieldLength = 200;

const tooLarge = (maxBytes: number) => new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${maxBytes} bytes; shorten it.`);

/**
 * Returns the value if it matches the schema. Throws `VALIDATION` with a sentence about the first issue, and the first 20 issues in
 * `details.issues`.
 */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  // Neither the number of issues nor the length of a key may make the response larger than the request.
  const issues = read.error.issues
    .slice(0, maxIssues)
    .map(({ path, message }) => ({ field: cut(path.map(String).join("."), maxFieldLength, ""), message }));
  const [first] = issues;
  throw new AskboxError("VALIDATION", `${first?.field || "The request"} is not valid: ${first?.message}.`, { details: { issues } });
}
