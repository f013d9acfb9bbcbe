import { AskboxError } from "@askbox/core";
import * as z from "zod";
import type { ElicitedContent } from "../question.ts";
import { admitsObject, maxDepth, type Node, type ReadForm, readFormWithValues, resolver } from "./form-schema.ts";

/** What a schema accepts, as JSON Schema. Throws `VALIDATION` if it cannot be written as one, or if its values are no objects. */
export function jsonSchemaOfZod(schema: z.ZodType): Node {
  let json: Node;
  try {
    const { $schema: _, ...written } = z.toJSONSchema(schema, { io: "input", override });
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

type Written = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/** What zod can write as JSON Schema and an answer still cannot be, with the reason. */
const unfit: ReadonlyMap<string, string> = new Map([
  ["file", "files cannot be sent as JSON"],
  ["catch", "catch() would replace an answer that does not fit with another"],
]);

function override(written: Written): void {
  const reason = unfit.get(written.zodSchema._zod.def.type);
  if (reason !== undefined) throw new Error(reason);
  nameNumbers(written);
}

/** The numbers of a TypeScript enum say nothing without their names, which JSON Schema leaves out. */
function nameNumbers({ zodSchema: { _zod }, jsonSchema }: Written): void {
  const { def } = _zod;
  if (def.type !== "enum" || !jsonSchema.enum?.some((value) => typeof value === "number")) return;
  const names = new Map(
    Object.entries(def.entries).flatMap(([name, value]) => (Number.isNaN(Number(name)) ? [[value, name] as const] : [])),
  );
  jsonSchema["enumNames"] = jsonSchema.enum.map((value) => names.get(value as string | number) ?? String(value));
}

export type CheckedContent<Content> = { ok: true; content: Content } | { ok: false; message: string };

/**
 * Validates the content against the whole schema; `message` describes the issues of each field. What nobody answered stays left out: a
 * default of the schema is no answer.
 */
export async function checkContent<Schema extends z.ZodType>(
  schema: Schema,
  content: unknown,
): Promise<CheckedContent<ElicitedContent<Schema>>> {
  const given = content ?? {};
  const checked = await schema.safeParseAsync(given);
  if (checked.success) return { ok: true, content: asGiven(schema, { given, read: checked.data }) as ElicitedContent<Schema> };
  const issues = checked.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, message: issues.join("; ") };
}

/** What the schema read, without what only its defaults have put there. By zod's own parts: its JSON Schema leaves out a default of what is transformed. */
function asGiven(schema: z.core.$ZodType | undefined, { given, read }: { given: unknown; read: unknown }, depth = 0): unknown {
  if (schema === undefined || depth > maxDepth) return read;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const kept = partsOf(schema).reduce((left: unknown, part) => asGiven(part, { given, read: left }, depth + 1), read);
  if ((def.type === "array" || def.type === "tuple") && Array.isArray(kept) && Array.isArray(given)) {
    const itemAt = (index: number) => (def.type === "array" ? def.element : (def.items[index] ?? def.rest ?? undefined));
    return kept.map((item, index) => asGiven(itemAt(index), { given: given[index], read: item }));
  }
  if ((def.type !== "object" && def.type !== "record") || !isPlain(kept) || !isPlain(given)) return kept;
  const fieldOf = (name: string) =>
    def.type === "record" ? def.valueType : Object.hasOwn(def.shape, name) ? def.shape[name] : def.catchall;
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, value]) => {
      const own = Object.hasOwn(given, name) ? given[name] : undefined;
      if (own === undefined) return hasDefault(fieldOf(name)) ? [] : [[name, value]];
      return [[name, asGiven(fieldOf(name), { given: own, read: value })]];
    }),
  );
}

/** Whether the schema, or a part of it, proposes a value for what is left out. */
function hasDefault(schema: z.core.$ZodType | undefined, depth = 0): boolean {
  if (schema === undefined || depth > maxDepth) return false;
  const { type } = schema._zod.def;
  return type === "default" || type === "prefault" || partsOf(schema).some((part) => hasDefault(part, depth + 1));
}

/** The schemas that read the same value as this one. */
function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ("innerType" in def) return [def.innerType];
  if (def.type === "pipe") return [def.in, def.out];
  if (def.type === "union") return def.options;
  if (def.type === "intersection") return [def.left, def.right];
  return def.type === "lazy" ? [def.getter()] : [];
}

/** Not an instance of a class, which a schema's own code may return. */
const isPlain = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
