import { type DialectName, defaultTool, type JsonSchema, type ToolDefinition, toolDefinitions } from "@askbox/mcp";
import type { SkillTexts } from "./client.ts";
import { isObject } from "./json.ts";

/**
 * The skill and the rules that tell an agent when to ask, worded from the fields of its own tool. The folder's texts are the same for
 * every client but for its tool's name.
 */

/** Teaches an agent when and how to ask a person, generated from the tools' own definitions. */
export function skillTexts(tools: readonly DialectName[]): SkillTexts {
  const definitions = toolDefinitions(tools);
  const [asking = defaultTool] = tools;
  const instruction = guide(definitions, asking);
  return { instruction, skill: `${head(asking)}\n# Asking a person\n\n${instruction}\n\n${definitions.map(reference).join("\n\n")}\n` };
}

const head = (tool: string) => `---
name: askbox
description: Ask the person you work for, and wait for the answer, with askbox's ${tool} tool. Use when a decision, a missing fact or a confirmation would change what you do next, and before anything destructive or hard to undo.
---
`;

/** When to ask, and what the outcomes mean. */
function guide(definitions: readonly ToolDefinition[], asking: string): string {
  const names = definitions.map(({ name }) => `\`${name}\``).join(", ");
  return `The askbox server (${names}) puts questions to the person you work for and brings the answer back in the same call. They may answer from a terminal, a browser or a phone, so ask even when nobody seems to be at this client.

Ask with \`${asking}\` when
- a decision is theirs to make, and the options lead to different work;
- a fact is missing that you cannot find in the project or look up;
- what comes next is destructive, costs money, is seen by others, or is hard to undo.

Do not ask what you can find out, what they have said already, or only to report progress.

Ask well: one to three short questions that belong together in one call, each understandable on its own, with concrete options and the one you advise marked.

Only an answer is an answer. A question that was cancelled or timed out is not consent: take the safe option, or ask again. When a result is pending, call \`get_answer\` to keep waiting; the question stays open in the meantime. When they ask you something back, reply as the result says; that is not an answer yet. Never answer for the person.`;
}

/** A tool's own description, with every input and output field. */
function reference({ name, title, description, inputSchema, outputSchema }: ToolDefinition): string {
  const takes = fieldsOf(inputSchema).map(({ line }) => line);
  const gives = outputSchema === undefined ? [] : fieldsOf(outputSchema).map(({ line }) => line);
  return [
    `## \`${name}\`: ${title}`,
    description,
    ...(takes.length === 0 ? [] : [`Takes:\n\n${takes.join("\n")}`]),
    ...(gives.length === 0 ? [] : [`Gives back:\n\n${gives.join("\n")}`]),
  ].join("\n\n");
}

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
