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
  properties: z.custom<object>((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  required: z.array(z.string()).default([]),
});

/** A form that was read from a JSON Schema. */
export interface ReadForm {
  form: FormSchema;
  /**
   * The form's content with the values that the schema has: forms only offer texts, so a chosen `"2"` becomes the 2 of a numeric enum, and
   * a nullable field that was left empty becomes null.
   */
  valuesOf(content: unknown): unknown;
}

/**
 * Reads a JSON Schema as a form, dropping what forms do not support (such as `pattern`): the caller validates the content. Throws
 * `VALIDATION` with the path of the first field that no form can represent, such as a nested object.
 */
export function readFormWithValues(schema: unknown): ReadForm {
  const resolve = resolver(schema);
  const root = rootSchema.safeParse(withKeysListed(resolve(schema)));
  if (!root.success) throw new AskboxError("VALIDATION", "A form must be an object with flat fields; wrap a single value in one.");
  const fields = Object.entries(root.data.properties).map(([name, node]) => ({ name, ...readField(name, resolve(node), resolve) }));
  const wanted = root.data.required.filter((name) => Object.hasOwn(root.data.properties, name));
  const optional = new Set(fields.flatMap(({ name, isNullable }) => (isNullable ? [name] : [])));
  const required = wanted.filter((name) => !optional.has(name));
  return {
    form: {
      type: "object",
      // Not an assignment by name, which would lose `__proto__`.
      properties: Object.fromEntries(fields.map(({ name, field }) => [name, field])),
      ...(required.length === 0 ? {} : { required }),
    },
    valuesOf(content) {
      if (typeof content !== "object" || content === null) return content;
      const rest = Object.entries(content).filter(([name]) => !Object.hasOwn(root.data.properties, name));
      const read = fields.flatMap(({ name, isNullable, ownValue }) => {
        const value: unknown = Object.hasOwn(content, name) ? (content as Node)[name] : undefined;
        if (isNullable && (value === "" || (value === undefined && wanted.includes(name)))) return [[name, null] as const];
        return value === undefined ? [] : [[name, ownValue(value)] as const];
      });
      return Object.fromEntries([...rest, ...read]);
    },
  };
}

/** An object whose keys are an enum has one field for each key; with any other keys its fields are not known. */
function withKeysListed(node: Node): Node {
  const { properties, propertyNames, additionalProperties } = node;
  const { enum: keys } = Object(propertyNames) as Node;
  if (properties !== undefined) return node;
  if (Array.isArray(keys)) return { ...node, properties: Object.fromEntries(keys.map((key) => [String(key), additionalProperties ?? {}])) };
  return propertyNames === undefined && additionalProperties === undefined ? { ...node, properties: {} } : node;
}

/** The formats of a schema that forms have, by their names there. An address is a reference, too. */
export const formats: ReadonlyMap<string, string> = new Map<string, string>([
  ...["email", "uri", "date", "date-time"].map((name) => [name, name] as const),
  ["url", "uri"],
  ["uri-reference", "uri"],
]);

interface ReadField {
  field: FormField;
  isNullable: boolean;
  /** The schema's own value for what the form returns. */
  ownValue(filled: unknown): unknown;
}

function readField(name: string, node: Node, resolve: Resolve): ReadField {
  const { node: plain, isNullable } = withoutNull(node, resolve);
  const own = listed(plain, resolve);
  const items = own === undefined && plain["type"] === "array" ? listed(resolve(plain["items"]), resolve) : undefined;
  const values = own ?? items;
  const read = fieldSchema.safeParse(asField(plain, own, items));
  if (!read.success) {
    const sentence = `The field ${quote(name)} cannot be shown in a form; use text, a number, a boolean, an enum, or a list of an enum's values.`;
    throw new AskboxError("VALIDATION", sentence);
  }
  const texts = new Map(values?.map(({ value }) => [String(value), value]));
  if (values !== undefined && texts.size < values.length) {
    throw new AskboxError("VALIDATION", `The field ${quote(name)} offers a value twice; offer each once.`);
  }
  const ownValue = (value: unknown) => (typeof value === "string" && texts.has(value) ? texts.get(value) : value);
  return { field: read.data, isNullable, ownValue: (value) => (Array.isArray(value) ? value.map(ownValue) : ownValue(value)) };
}

/** The node as a field of MCP's, which only offers texts. */
function asField(node: Node, own: ListedValue[] | undefined, items: ListedValue[] | undefined): Node {
  const { type, title, description, default: proposed } = node;
  const words = { title, description };
  const values = {
    ...words,
    default: Array.isArray(proposed) ? proposed.map(String) : proposed === undefined ? undefined : String(proposed),
  };
  if (own !== undefined) return withoutUndefined({ ...values, type: "string", ...offered(own, node, "oneOf") });
  if (items !== undefined) {
    const { minItems, maxItems, items: inner } = node;
    const offer = offered(items, Object(inner), "anyOf");
    return withoutUndefined({ ...values, type, items: "enum" in offer ? { type: "string", ...offer } : offer, minItems, maxItems });
  }
  // The remaining keywords of a field with listed values that no form has would be dropped, and with them the values.
  if (["enum", "const", "anyOf", "oneOf", "allOf", "not"].some((keyword) => node[keyword] !== undefined)) return {};
  const kept: Record<string, unknown> = { ...node };
  const format = formats.get(String(kept["format"]));
  if (format !== undefined) kept["format"] = format;
  else delete kept["format"];
  keepBounds(kept);
  return kept;
}

function offered(values: readonly ListedValue[], { enumNames }: Node, titledBy: "oneOf" | "anyOf"): Node {
  const texts = values.map(({ value }) => String(value));
  if (Array.isArray(enumNames) && values.every(({ value }) => typeof value === "string")) return { enum: texts, enumNames };
  if (values.every(({ title }) => title === undefined)) return { enum: texts };
  return { [titledBy]: values.map(({ value, title }) => withoutUndefined({ const: String(value), title })) };
}

const withoutUndefined = (node: Node): Node => Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));

/** Converts exclusive bounds to inclusive ones, if there is a next number; drops the bounds of all safe integers. */
function keepBounds(field: Record<string, unknown>): void {
  if (field["type"] === "integer") {
    const {
      exclusiveMinimum: above,
      exclusiveMaximum: below,
      minimum = Number.NEGATIVE_INFINITY,
      maximum = Number.POSITIVE_INFINITY,
    } = field;
    if (typeof above === "number" && typeof minimum === "number") field["minimum"] = Math.max(minimum, Math.floor(above) + 1);
    if (typeof below === "number" && typeof maximum === "number") field["maximum"] = Math.min(maximum, Math.ceil(below) - 1);
    if (field["minimum"] === Number.MIN_SAFE_INTEGER) delete field["minimum"];
    if (field["maximum"] === Number.MAX_SAFE_INTEGER) delete field["maximum"];
  }
}

/** The options of a field; undefined if it has none. */
export function optionsOf(field: FormField): { value: string; label: string }[] | undefined {
  if (field.type === "array") {
    return "anyOf" in field.items ? titledOptions(field.items.anyOf) : field.items.enum.map((value) => ({ value, label: value }));
  }
  if (field.type !== "string") return undefined;
  if ("oneOf" in field) return titledOptions(field.oneOf);
  if (!("enum" in field)) return undefined;
  const { enumNames = [] } = field;
  return field.enum.map((value, index) => ({ value, label: enumNames[index] ?? value }));
}

const titledOptions = (options: z.infer<typeof titled>) => options.map(({ const: value, title }) => ({ value, label: title ?? value }));

/** A node of a JSON Schema. */
export type Node = Readonly<Record<string, unknown>>;

/** A node with its `$ref` resolved. */
export type Resolve = (node: unknown) => Node;

/** How many references lead to a node, and how deep unions nest. */
export const maxDepth = 8;

/** Resolves references to the definitions of this schema. A reference that leads nowhere stays. */
export function resolver(schema: unknown): Resolve {
  const { $defs, definitions } = Object(schema) as Node;
  const known = new Map<string, unknown>([
    ...Object.entries(Object(definitions) as Node).map(([name, node]) => [`#/definitions/${name}`, node] as const),
    ...Object.entries(Object($defs) as Node).map(([name, node]) => [`#/$defs/${name}`, node] as const),
    ["#", schema],
  ]);
  return (node) => {
    let read = { ...Object(node) } as Node;
    for (let depth = 0; depth < maxDepth && known.has(String(read["$ref"])); depth += 1) {
      const { $ref, ...own } = read;
      read = { ...Object(known.get(String($ref))), ...own };
    }
    return read;
  };
}

/** A value that a schema lists. */
interface ListedValue {
  value: string | number | boolean;
  title?: string | undefined;
}

/** The values that a node lists: literals, an enum, or a union of such; undefined if it allows others. */
export function listed(node: Node, resolve: Resolve, depth = 0): ListedValue[] | undefined {
  const { title, enumNames, enum: values } = node;
  if (depth > maxDepth) return undefined;
  if (Array.isArray(values)) return valuesOf(values, Array.isArray(enumNames) ? enumNames : []);
  if ("const" in node) return valuesOf([node["const"]], [title]);
  const branches = branchesOf(node)?.map((branch) => listed(resolve(branch), resolve, depth + 1));
  return branches?.every((branch) => branch !== undefined) ? branches.flat() : undefined;
}

function valuesOf(values: readonly unknown[], titles: readonly unknown[]): ListedValue[] | undefined {
  const plain = values.flatMap((value, index): ListedValue[] => {
    const title = titles[index];
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    return isPlain ? [{ value, title: typeof title === "string" ? title : undefined }] : [];
  });
  return plain.length === values.length && plain.length > 0 ? plain : undefined;
}

/** The node without null among its values, and whether it had it. */
export function withoutNull(node: Node, resolve: Resolve): { node: Node; isNullable: boolean } {
  const { type, enum: values, default: proposed, ...rest } = node;
  const kept = proposed === null || proposed === undefined ? rest : { ...rest, default: proposed };
  const types = [type].flat();
  const left = types.filter((one) => one !== "null");
  const branches = branchesOf(node)?.map(resolve);
  const others = branches?.filter((branch) => branch["type"] !== "null" && branch["const"] !== null);
  const isNullable =
    left.length < types.length || (Array.isArray(values) && values.includes(null)) || (others ?? []).length < (branches ?? []).length;
  if (!isNullable) return { node, isNullable };
  const { anyOf: _, oneOf: __, ...own } = kept;
  const [only] = others?.length === 1 ? others : [];
  return {
    isNullable,
    node: {
      ...(others === undefined ? kept : only === undefined ? { ...own, anyOf: others } : { ...only, ...own }),
      ...(left.length === 0 || left[0] === undefined ? {} : { type: left.length === 1 ? left[0] : left }),
      ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
    },
  };
}

/** The branches of a union; undefined if the node is none. */
function branchesOf({ anyOf, oneOf }: Node): unknown[] | undefined {
  if (anyOf !== undefined && oneOf !== undefined) return undefined;
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.length > 0 ? branches : undefined;
}

/** Whether an object can be valid for the node. */
export function admitsObject(node: Node, resolve: Resolve, depth = 0): boolean {
  const { type } = node;
  if (depth > maxDepth || "const" in node || "enum" in node) return false;
  if (type !== undefined) return [type].flat().includes("object");
  return branchesOf(node)?.some((branch) => admitsObject(resolve(branch), resolve, depth + 1)) ?? true;
}

/** What a node is made of: the branches of its unions, and the parts that it must fit all of. */
export const unionOf = ({ anyOf, oneOf, allOf }: Node): unknown[] =>
  [anyOf, oneOf, allOf].flatMap((nodes) => (Array.isArray(nodes) ? nodes : []));
