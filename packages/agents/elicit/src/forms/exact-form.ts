import { AskboxError } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import {
  type FormSchema,
  formats,
  listed,
  type Node,
  type Resolve,
  readFormWithValues,
  resolver,
  unionOf,
  withoutNull,
} from "./form-schema.ts";

/** They say nothing about the values. */
const annotations = ["title", "description", "default", "examples", "deprecated", "$comment", "$schema", "$id", "$defs", "definitions"];
const ofRoot = [...annotations, "type", "properties", "required", "additionalProperties"];
const ofValues = [...annotations, "type", "enum", "enumNames", "const"];
const ofUnions = [...annotations, "type", "anyOf", "oneOf"];
/** By the `type` of a field without listed values. */
const ofFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["string", ["minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum"]],
  ["integer", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]],
  ["boolean", []],
  // No value is offered twice.
  ["array", ["items", "minItems", "maxItems", "uniqueItems"]],
]);

/**
 * Reads a JSON Schema as a form that keeps all of it, so that what a person fills in fits the schema. Throws `VALIDATION` with the first
 * field that no form can represent, such as a nested object, or whose constraint would be dropped, such as a `pattern`.
 */
export function readForm(schema: unknown): FormSchema {
  const { form } = readFormWithValues(schema);
  refuseWhatIsDropped(schema);
  return form;
}

/**
 * Throws `VALIDATION` if answers to the schema's form could violate the schema, because a keyword would be dropped, or if they could not be
 * sent as a form's content, which has no null and only texts in its lists.
 */
function refuseWhatIsDropped(schema: unknown): void {
  const resolve = resolver(schema);
  const root = resolve(schema);
  refuseOthers(root, ofRoot, "The form");
  const properties = new Map(Object.entries(Object(root["properties"])));
  const required = [root["required"] ?? []].flat();
  const missing = required.find((name) => !properties.has(String(name)));
  if (missing !== undefined) throw refusal(`The form requires ${quote(missing)}, which is none of its fields`);
  for (const [name, node] of properties) {
    const field = `The field ${quote(name)}`;
    refuseField(field, Object(node), resolve);
    if (required.includes(name) && withoutNull(resolve(node), resolve).isNullable) throw refusal(`${field} is required and may be null`);
  }
}

function refuseField(field: string, own: Node, resolve: Resolve): void {
  // What stands beside a reference would take the place of what it refers to.
  if ("$ref" in own) refuseOthers(own, [...annotations, "$ref"], field);
  const whole = resolve(own);
  const { node: plain } = withoutNull(whole, resolve);
  if (listed(plain, resolve) !== undefined) return refuseListed(field, whole, resolve);
  const { type, format } = plain;
  if (unionOf(whole).length > 0) refuseOthers(whole, ofUnions, field);
  refuseOthers(plain, [...annotations, "type", ...(ofFields.get(type) ?? [])], field);
  if (type === "array") refuseListed(`The list of ${field.replace("The", "the")}`, resolve(plain["items"]), resolve);
  if (format !== undefined && !formats.has(String(format))) throw refusal(`${field} has the format ${quote(format)}`);
  if (format === "date" && ("minLength" in plain || "maxLength" in plain)) throw refusal(`${field} is a date of limited length`);
  for (const bound of ["exclusiveMinimum", "exclusiveMaximum"] as const) {
    if (plain[bound] !== undefined && typeof plain[bound] !== "number") throw refusal(`${field} has an ${bound} that is no number`);
  }
}

function refuseListed(field: string, node: Node, resolve: Resolve): void {
  const branches = unionOf(node).map(resolve);
  refuseOthers(node, branches.length > 0 ? ofUnions : ofValues, field);
  const isText = [node["type"] ?? "string"].flat().every((type) => type === "string" || type === "null");
  const values = [...("const" in node ? [node["const"]] : []), ...(Array.isArray(node["enum"]) ? node["enum"] : [])];
  if (!isText || values.some((value) => value !== null && typeof value !== "string"))
    throw refusal(`${field} offers values that are no texts`);
  for (const branch of branches) if (branch["type"] !== "null") refuseListed(field, branch, resolve);
}

function refuseOthers(node: Node, known: readonly string[], field: string): void {
  const other = Object.keys(node).find((keyword) => !known.includes(keyword));
  if (other !== undefined) throw refusal(`${field} has ${quote(other)}`);
}

const refusal = (what: string) => new AskboxError("VALIDATION", `${what}, which a form cannot keep to.`);
