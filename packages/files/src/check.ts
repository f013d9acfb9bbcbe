import { AskboxError } from "@askbox/core";
import type * as z from "zod";

/** Returns the value if it matches the schema. Throws `VALIDATION` with a sentence about what doesn't. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new AskboxError("VALIDATION", `${first?.path.join(".") || "The request"} is not valid: ${first?.message}.`);
}
