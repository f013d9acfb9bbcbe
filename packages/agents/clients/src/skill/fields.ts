import type { JsonSchema } from "@askbox/mcp";
import { isObject } from "../json.ts";

/** One field of a tool's input or result, as a line of Markdown. */
interface Field {
  name: string;
  line: string;
}

/** The fields that a JSON Schema describes, with nested ones indented. Descriptions are copied from the schema. */
export function fieldsOf(schema: JsonSchema): Field[] {
  return walk(schema, schema, "", 0);
}

function walk(schema: unknown, root: JsonSchema, indent: string, depth: number): Field[] {
  const { properties, required } = resolved(schema, root);
  if (!isObject(properties) || depth > 4) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = resolved(property, root);
    const facts = [kindOf(own, root), ...(needed.includes(name) ? ["required"] : []), ...limitsOf(own)].filter((fact) => fact !== "");
    const said = typeof own["description"] === "string" ? `: ${own["description"].replace(/\.$/, "")}` : "";
    const line = `${indent}- \`${name}\` (${facts.join(", ")})${said}`;
    const inner = [
      own["items"],
      ...(Array.isArray(resolved(own["items"], root)["anyOf"]) ? (resolved(own["items"], root)["anyOf"] as unknown[]) : []),
      own,
    ];
    const fields = inner.flatMap((one) => walk(one, root, `${indent}  `, depth + 1));
    return [{ name, line }, ...fields];
  });
}

function resolved(schema: unknown, root: JsonSchema): Record<string, unknown> {
  if (!isObject(schema)) return {};
  const reference = schema["$ref"];
  if (typeof reference !== "string") return schema;
  let target: unknown = root;
  for (const part of reference.replace(/^#\//, "").split("/")) target = isObject(target) ? target[part] : undefined;
  return isObject(target) ? target : {};
}

function kindOf(schema: Record<string, unknown>, root: JsonSchema): string {
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => `"${String(value)}"`).join(" | ");
  if (schema["type"] !== "array") return String(schema["type"] ?? "object");
  const items = resolved(schema["items"], root);
  const kinds = Array.isArray(items["anyOf"]) ? items["anyOf"].map((one) => kindOf(resolved(one, root), root)) : [kindOf(items, root)];
  return `array of ${kinds.join(" or ")}`;
}

const limitNames: readonly (readonly [keyword: string, words: string])[] = [
  ["minItems", "at least"],
  ["maxItems", "at most"],
  ["minLength", "at least"],
  ["maxLength", "at most"],
  ["minimum", "from"],
  ["maximum", "to"],
];
// keys: keywords of our own tools' schemas.
const units: Readonly<Record<string, string>> = { minLength: " characters", maxLength: " characters" };

function limitsOf(schema: Record<string, unknown>): string[] {
  const limits = limitNames.flatMap(([keyword, words]) => {
    const value = schema[keyword];
    return typeof value === "number" && !(keyword === "minLength" && value === 1) ? [`${words} ${value}${units[keyword] ?? ""}`] : [];
  });
  return schema["default"] === undefined ? limits : [...limits, `default ${JSON.stringify(schema["default"])}`];
}
