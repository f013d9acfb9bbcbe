/** The part of JSON Schema that askbox's schemas use. */
export interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  default?: unknown;
  description?: string;
  [keyword: string]: unknown;
}

/** Named shapes, by the text of their schema. */
export type ShapeNames = ReadonlyMap<string, { name: string; schema: JsonSchema }>;

/** A canonical form of a schema, independent of the order of its keywords. */
export function schemaKey(schema: unknown): string {
  if (Array.isArray(schema)) return `[${schema.map(schemaKey).join()}]`;
  if (typeof schema !== "object" || schema === null) return JSON.stringify(schema) ?? "";
  const entries = Object.entries(schema).filter(([keyword, value]) => !isAside(keyword, value));
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([keyword, value]) => `${keyword}:${schemaKey(value)}`)
    .join()}}`;
}

/** Keywords that don't matter for equality: zod closes input schemas and leaves output schemas open. */
const isAside = (keyword: string, value: unknown) =>
  keyword === "$schema" || keyword === "description" || (keyword === "additionalProperties" && value === false);

/** A schema as a TypeScript type: by name if it has one, else in full. `self` is not replaced by its own name. */
export function typeText(schema: JsonSchema, names: ShapeNames, self?: string): string {
  const named = names.get(schemaKey(schema));
  if (named !== undefined && named.name !== self) return named.name;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeText(choice, names, self)))].join(" | ");
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeText(part, names, self)).join(" & ");
  const types = [schema.type ?? "unknown"].flat();
  return types.map((type) => ofType(type, schema, names, self)).join(" | ");
}

function ofType(type: string, schema: JsonSchema, names: ShapeNames, self: string | undefined): string {
  if (type === "integer") return "number";
  if (type === "array") {
    const item = typeText(schema.items ?? {}, names, self);
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (type !== "object") return type;
  if (schema.properties === undefined) {
    const { additionalProperties: values } = schema;
    return `Record<string, ${typeof values === "object" ? typeText(values, names, self) : "unknown"}>`;
  }
  if (Object.keys(schema.properties).length === 0) return "{}";
  return builtOn(schema, names, self) ?? `{ ${propertyTexts(schema, names, self).join("; ")} }`;
}

/** A named shape with more or fewer properties, as a type based on it. */
function builtOn(schema: JsonSchema, names: ShapeNames, self: string | undefined): string | undefined {
  const own = schema.properties ?? {};
  for (const { name, schema: base } of names.values()) {
    const properties = Object.entries(base.properties ?? {});
    if (name === self || properties.length < 2) continue;
    const shared = properties.filter(([property, of]) => own[property] !== undefined && isSame(property, own[property], of, schema, base));
    const missing = properties.filter(([property]) => own[property] === undefined).map(([property]) => property);
    if (shared.length < 2 || shared.length + missing.length < properties.length || missing.length > 1) continue;
    const more = Object.fromEntries(Object.entries(own).filter(([property]) => base.properties?.[property] === undefined));
    const whole = missing.length === 0 ? name : `Omit<${name}, ${JSON.stringify(missing[0])}>`;
    if (Object.keys(more).length === 0) return whole;
    const required = schema.required?.filter((property) => more[property] !== undefined) ?? [];
    const rest = { type: "object", properties: more, ...(required.length > 0 && { required }) };
    return `${whole} & ${typeText(rest, names, self)}`;
  }
  return undefined;
}

const isSame = (property: string, one: JsonSchema, other: JsonSchema, inOne: JsonSchema, inOther: JsonSchema) =>
  schemaKey(one) === schemaKey(other) && inOne.required?.includes(property) === inOther.required?.includes(property);

/** Each property as a member of a type; one with a default is optional. */
export function propertyTexts(schema: JsonSchema, names: ShapeNames, self?: string): string[] {
  return Object.entries(schema.properties ?? {}).map(
    ([name, property]) =>
      `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${schema.required?.includes(name) ? "" : "?"}: ${typeText(property, names, self)}`,
  );
}

const huge = Number.MAX_SAFE_INTEGER;

/** A schema's requirements beyond the type, such as `1 to 10`; empty if there are none. */
export function rangeText({ minimum, maximum, minLength, maxLength, minItems, maxItems }: JsonSchema): string {
  const pieces = [between(minimum, maximum, ""), between(minLength, maxLength, " characters"), between(minItems, maxItems, " items")];
  return pieces.filter((piece) => piece !== "").join(", ");
}

function between(least: unknown, most: unknown, unit: string): string {
  const low = typeof least === "number" && least > -huge ? least : undefined;
  const high = typeof most === "number" && most < huge ? most : undefined;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `${low} or more${unit}`;
  return high === undefined ? "" : `at most ${high}${unit}`;
}
