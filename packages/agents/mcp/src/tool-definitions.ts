import type { JsonSchema, ToolDefinition } from "./dialects/dialect.ts";
import { contractTimeout, type DialectName, dialectOf } from "./dialects/index.ts";
import { getAnswerFor } from "./get-answer.ts";

/** The entries in `tools/list` for these tools, followed by their companion `get_answer`; with references, as their contracts have them. */
export function toolDefinitions(names: readonly DialectName[], defaultTimeout: number = contractTimeout): ToolDefinition[] {
  return [...names.map((name) => dialectOf(name).definition({ defaultTimeout })), getAnswerFor(names)];
}

/** The tool with the definitions of its input schema in the places that refer to them: some clients drop or refuse a tool whose schema has references. */
export function withoutReferences(tool: ToolDefinition): ToolDefinition {
  const { definitions, ...schema } = tool.inputSchema;
  if (definitions === undefined) return tool;
  const known = new Map(Object.entries(Object(definitions)).map(([name, node]) => [`#/definitions/${name}`, node]));
  const inlined = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inlined);
    if (typeof node !== "object" || node === null) return node;
    const { $ref, ...own }: JsonSchema = { ...node };
    const target = typeof $ref === "string" ? { ...Object(known.get($ref)), ...own } : own;
    return Object.fromEntries(Object.entries(target).map(([keyword, value]) => [keyword, inlined(value)]));
  };
  return { ...tool, inputSchema: inlined(schema) as JsonSchema };
}
