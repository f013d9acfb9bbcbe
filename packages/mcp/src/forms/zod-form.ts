import { AskboxError } from "@askbox/core";
import * as z from "zod";
import { type FormSchema, readForm } from "./form-schema.ts";

/**
 * The form in which what this schema takes can be given. What forms have no word for (refinements, patterns) is left to `checkContent`.
 * Throws `VALIDATION` when a field fits no form.
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

/** Checks what was given against the whole schema; `message` says for each field what is wrong. */
export async function checkContent<Schema extends z.ZodType>(schema: Schema, content: unknown): Promise<CheckedContent<z.output<Schema>>> {
  const checked = await schema.safeParseAsync(content ?? {});
  if (checked.success) return { ok: true, content: checked.data };
  const issues = checked.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, message: issues.join("; ") };
}
