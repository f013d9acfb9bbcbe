import { AskboxError } from "@askbox/core";
import * as z from "zod";
import { type FormSchema, readForm } from "./form-schema.ts";

/**
 * The form for a schema. What forms do not support (refinements, patterns) is left to `checkContent`. Throws `VALIDATION` if a field cannot
 * be in a form.
 */
export function formOfZod(schema: z.ZodType): FormSchema {
  let json: unknown;
  try {
    json = z.toJSONSchema(schema, { io: "input" });
  } catch (cause) {
    throw new AskboxError(
      "VALIDATION",
      `The schema cannot be written as JSON Schema: ${cause instanceof Error ? cause.message : String(cause)}.`,
      {
        cause,
      },
    );
  }
  return readForm(json);
}

export type CheckedContent<Content> = { ok: true; content: Content } | { ok: false; message: string };

/** Validates the content against the whole schema; `message` describes the issues of each field. */
export async function checkContent<Schema extends z.ZodType>(schema: Schema, content: unknown): Promise<CheckedContent<z.output<Schema>>> {
  const checked = await schema.safeParseAsync(content ?? {});
  if (checked.success) return { ok: true, content: checked.data };
  const issues = checked.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, message: issues.join("; ") };
}
