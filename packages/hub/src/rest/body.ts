import { AskboxError } from "@askbox/core";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import type { RestEnv } from "./context.ts";

/** The request's body as JSON, and its size in bytes. Throws `VALIDATION`. */
export async function readJson(c: Context<RestEnv>): Promise<{ value: unknown; bytes: number }> {
  const text = await c.req.text();
  const bytes = Buffer.byteLength(text);
  try {
    return { value: text.trim() === "" ? {} : JSON.parse(text), bytes };
  } catch {
    throw new AskboxError("VALIDATION", "The body is not valid JSON; send one JSON object.");
  }
}

/** Refuses larger bodies with `PAYLOAD_TOO_LARGE`. */
export function limitBody(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new AskboxError("PAYLOAD_TOO_LARGE", `A request may have at most ${maxSize} bytes; shorten it.`);
    },
  });
}

/** The value, if the schema takes it. Throws `VALIDATION` with a sentence about the first thing that is wrong, and all in `details.issues`. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const issues = read.error.issues.map((issue) => ({ field: issue.path.map(String).join("."), message: issue.message }));
  const [first] = issues;
  throw new AskboxError("VALIDATION", `${first?.field || "The request"} is not valid: ${first?.message}.`, { details: { issues } });
}
