import { AskboxError } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import { isExactJson, isTooManyValues, parseAskJson } from "@askbox/core/schemas";
import type { Context, MiddlewareHandler } from "hono";
import type * as z from "zod";
import type { Access } from "../auth/tokens.ts";
import type { RestEnv } from "./context.ts";

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
