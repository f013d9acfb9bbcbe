import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import * as z from "zod";

const words = { title: z.string().optional(), description: z.string().optional() };
const titled = z.array(z.object({ const: z.string(), title: z.string().optional() })).min(1);
const names = z.array(z.string()).min(1);
const count = z.int().min(0).optional();

/** The order matters: a field with an `enum` is not free text. */
const fieldSchema = z.union([
  z.object({ ...words, type: z.literal("string"), enum: names, enumNames: z.array(z.string()).optional(), default: z.string().optional() }),
  z.object({ ...words, type: z.literal("string"), oneOf: titled, default: z.string().optional() }),
  z.object({
    ...words,
    type: z.literal("string"),
    minLength: count,
    maxLength: count,
    format: z.enum(["email", "uri", "date", "date-time"]).optional(),
    default: z.string().optional(),
  }),
  z.object({
    ...words,
    type: z.enum(["number", "integer"]),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    default: z.number().optional(),
  }),
  z.object({ ...words, type: z.literal("boolean"), default: z.boolean().optional() }),
  z.object({
    ...words,
    type: z.literal("array"),
    items: z.union([z.object({ type: z.literal("string"), enum: names }), z.object({ anyOf: titled })]),
    minItems: count,
    maxItems: count,
    default: z.array(z.string()).optional(),
  }),
]);

/** One field of a form: MCP's `PrimitiveSchemaDefinition`. */
export type FormField = z.infer<typeof fieldSchema>;

/** A flat form for MCP's elicitation (revisions since 2025-06-18, plus the lists of 2025-11-25). */
export interface FormSchema {
  type: "object";
  properties: Record<string, FormField>;
  required?: string[];
}

const rootSchema = z.object({
  type: z.literal("object"),
  // Not a record, whose parser drops a field named `__proto__`.
  properties: z.custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value)).default({}),
  required: z.array(z.string()).default([]),
});

/**
 * Reads a JSON Schema as a form, dropping what forms do not support (such as `pattern`): the caller validates the content. Throws
 * `VALIDATION` with the path of the first field that no form can represent, such as a nested object.
 */
export function readForm(schema: unknown): FormSchema {
  const root = rootSchema.safeParse(schema);
  if (!root.success) throw new AskboxError("VALIDATION", "A form must be an object with flat fields; wrap a single value in one.");
  const properties = Object.entries(root.data.properties).map(([name, node]) => [name, readField(name, node)] as const);
  const required = root.data.required.filter((name) => Object.hasOwn(root.data.properties, name));
  // Not an assignment by name, which would lose `__proto__`.
  return { type: "object", properties: Object.fromEntries(properties), ...(required.length === 0 ? {} : { required }) };
}

const formats: Readonly<Record<string, string>> = { url: "uri", "uri-reference": "uri" };

function readField(name: string, node: unknown): FormField {
  const given: Record<string, unknown> = { ...Object(node) };
  if ("const" in given) Object.assign(given, { type: "string", enum: [given["const"]] });
  if (given["type"] === undefined && Array.isArray(given["anyOf"])) Object.assign(given, { type: "string", oneOf: given["anyOf"] });
  if (given["type"] === undefined && ("enum" in given || "oneOf" in given)) given["type"] = "string";
  if (typeof given["format"] === "string") given["format"] = formats[given["format"]] ?? given["format"];
  const known = ["email", "uri", "date", "date-time"].includes(String(given["format"]));
  if (!known) delete given["format"];
  keepBounds(given);
  const read = fieldSchema.safeParse(given);
  const options = read.success ? valuesOf(read.data) : undefined;
  if (!read.success) {
    const sentence = `The field ${quote(name)} cannot be shown in a form; use text, a number, a boolean, an enum of texts, or a list of such enums.`;
    throw new AskboxError("VALIDATION", sentence);
  }
  if (options !== undefined && new Set(options).size < options.length) {
    throw new AskboxError("VALIDATION", `The field ${quote(name)} offers a value twice; offer each once.`);
  }
  return read.data;
}

/** Converts exclusive bounds to inclusive ones, if there is a next number; drops the bounds of all safe integers. */
function keepBounds(given: Record<string, unknown>): void {
  if (given["type"] === "integer") {
    const { exclusiveMinimum, exclusiveMaximum } = given;
    if (typeof exclusiveMinimum === "number") given["minimum"] ??= Math.floor(exclusiveMinimum) + 1;
    if (typeof exclusiveMaximum === "number") given["maximum"] ??= Math.ceil(exclusiveMaximum) - 1;
    if (given["minimum"] === Number.MIN_SAFE_INTEGER) delete given["minimum"];
    if (given["maximum"] === Number.MAX_SAFE_INTEGER) delete given["maximum"];
  }
}

/** The choices of a field; undefined if it has none. */
export function choicesOf(field: FormField): { value: string; label: string }[] | undefined {
  if (field.type === "array") {
    return "anyOf" in field.items ? titledChoices(field.items.anyOf) : field.items.enum.map((value) => ({ value, label: value }));
  }
  if (field.type !== "string") return undefined;
  if ("oneOf" in field) return titledChoices(field.oneOf);
  if (!("enum" in field)) return undefined;
  const { enumNames = [] } = field;
  return field.enum.map((value, index) => ({ value, label: enumNames[index] ?? value }));
}

const titledChoices = (options: z.infer<typeof titled>) => options.map(({ const: value, title }) => ({ value, label: title ?? value }));
const valuesOf = (field: FormField) => choicesOf(field)?.map(({ value }) => value);
