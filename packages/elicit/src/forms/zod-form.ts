import { AskboxError } from "@askbox/core";
import * as z from "zod";
import { type ReadForm, readFormWithValues } from "./form-schema.ts";
import { admitsObject, type Node, resolver } from "./listed.ts";

/** What a schema accepts, as JSON Schema. Throws `VALIDATION` if it cannot be written as one, or if its values are no objects. */
export function jsonSchemaOfZod(schema: z.ZodType): Node {
  let json: Node;
  try {
    const { $schema: _, ...written } = z.toJSONSchema(schema, { io: "input", override: nameNumbers });
    json = written;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AskboxError("VALIDATION", `The schema cannot be written as JSON Schema: ${reason}.`, { cause });
  }
  const resolve = resolver(json);
  if (admitsObject(resolve(json), resolve)) return json;
  throw new AskboxError("VALIDATION", "A form must be an object with flat fields; wrap a single value in one.");
}

/**
 * The form for a schema, each field with a title. What forms do not support (refinements, patterns) is left to `checkContent`. Throws
 * `VALIDATION` if a field cannot be in a form.
 */
export function formOfZod(schema: z.ZodType): ReadForm {
  const { form, valuesOf } = readFormWithValues(jsonSchemaOfZod(schema));
  const properties = Object.entries(form.properties).map(([name, field]) => [name, { ...field, title: field.title || name }]);
  return { form: { ...form, properties: Object.fromEntries(properties) }, valuesOf };
}

/** The numbers of a TypeScript enum say nothing without their names, which JSON Schema leaves out. */
function nameNumbers({ zodSchema: { _zod }, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { def } = _zod;
  if (def.type !== "enum" || !jsonSchema.enum?.some((value) => typeof value === "number")) return;
  const names = new Map(
    Object.entries(def.entries).flatMap(([name, value]) => (Number.isNaN(Number(name)) ? [[value, name] as const] : [])),
  );
  jsonSchema["enumNames"] = jsonSchema.enum.map((value) => names.get(value as string | number) ?? String(value));
}

export type CheckedContent<Content> = { ok: true; content: Content } | { ok: false; message: string };

/** Validates the content against the whole schema; `message` describes the issues of each field. */
export async function checkContent<Schema extends z.ZodType>(schema: Schema, content: unknown): Promise<CheckedContent<z.output<Schema>>> {
  const checked = await schema.safeParseAsync(content ?? {});
  if (checked.success) return { ok: true, content: checked.data };
  const issues = checked.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, message: issues.join("; ") };
}
