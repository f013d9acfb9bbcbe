import { AskboxError } from "@askbox/core";
import * as z from "zod";
import type { ElicitedContent } from "../question/result.ts";
import { type ReadForm, readFormWithValues } from "./form-schema.ts";
import { admitsObject, hasDefault, maxDepth, type Node, type Resolve, resolver, unionOf } from "./listed.ts";

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
 * default of the schema is no answer. `json` is the schema as JSON Schema.
 */
export async function checkContent<Schema extends z.ZodType>(
  schema: Schema,
  json: Node,
  content: unknown,
): Promise<CheckedContent<ElicitedContent<Schema>>> {
  const given = content ?? {};
  const checked = await schema.safeParseAsync(given);
  if (checked.success)
    return { ok: true, content: asGiven(json, { given, read: checked.data }, resolver(json)) as ElicitedContent<Schema> };
  const issues = checked.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, message: issues.join("; ") };
}

/** What the schema read, without what only its defaults have put there. */
function asGiven(node: unknown, { given, read }: { given: unknown; read: unknown }, resolve: Resolve, depth = 0): unknown {
  const resolved = resolve(node);
  const { properties, additionalProperties, items } = resolved;
  const branches = depth < maxDepth ? unionOf(resolved) : [];
  const kept = branches.reduce((left: unknown, branch) => asGiven(branch, { given, read: left }, resolve, depth + 1), read);
  if (Array.isArray(kept) && Array.isArray(given)) {
    return kept.map((item, index) => asGiven(items, { given: given[index], read: item }, resolve));
  }
  if (!isPlain(kept) || !isPlain(given)) return kept;
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, value]) => {
      const field = isPlain(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      const own = Object.hasOwn(given, name) ? given[name] : undefined;
      if (own === undefined) return hasDefault(field, resolve) ? [] : [[name, value]];
      return [[name, asGiven(field, { given: own, read: value }, resolve)]];
    }),
  );
}

/** Not an instance of a class, which a schema's own code may return. */
const isPlain = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
