import { outputSchema } from "./dialects/ask-user/output-schema.ts";
import { alwaysLoad, askAnnotations, type JsonSchema, type ToolDefinition } from "./dialects/dialect.ts";
import { contractTimeout, type DialectName, dialectOf, dialectTraits } from "./dialects/index.ts";

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

const inFields = `Keep waiting for an answer after a call came back with pending: true.

Pass the sessionId from that result. Without one, you immediately get the outcomes that you have not received yet, as earlier[]; if there are none, it waits for your latest question. The result is that of the asking tool. If it is pending again, call get_answer again, or do other work first: the answer is kept for you.

After askedBack, pass your reply: the person sees it immediately, and the call keeps waiting.`;

const inWords = `Keep waiting for an answer after a call came back with "Pending:".

Pass the sessionId from that result. Without one, you immediately get the outcomes that you have not received yet; if there are none, it waits for your latest question. The result is that of the asking tool. If it is pending again, call get_answer again, or do other work first: the answer is kept for you.

After "Asked back:", pass your reply: the person sees it immediately, and the call keeps waiting.`;

/** The companion of the asking tools: keeps waiting if a call had to return before its answer, and uses their result format. */
export function getAnswerFor(names: readonly DialectName[]): ToolDefinition {
  const isInWords = names.every((name) => dialectTraits(name).format === "text");
  const withAgent = names.find((name) => dialectTraits(name).agentId);
  return {
    name: "get_answer",
    title: "Get the person's answer",
    description: isInWords ? inWords : inFields,
    inputSchema: {
      type: "object",
      properties: {
        sessionId: { type: "string", description: "The sessionId from the pending result" },
        reply: {
          type: "string",
          description: "Your reply to the person, in markdown, up to 10,000 characters; needs the sessionId",
        },
        wait: {
          type: "integer",
          description:
            "How long to wait, in milliseconds, at most 1,800,000; 0 checks without waiting. Default: as long as this client allows",
          minimum: 0,
          maximum: 1_800_000,
        },
        ...(withAgent !== undefined && { agent_id: { type: "string", description: `Your agent id, as you give it to ${withAgent}` } }),
      },
    },
    ...(isInWords ? {} : { outputSchema }),
    annotations: askAnnotations,
    _meta: alwaysLoad,
  };
}

const description =
  "See the pictures among an answer's files. If you call tools from code, pass each image on to yourself, as with image(content).";

/** The tool for pictures. Without an output schema and structured content, since clients drop images beside those. */
export const getFilesTool: ToolDefinition = {
  name: "get_files",
  title: "See the person's files",
  description,
  inputSchema: {
    type: "object",
    properties: {
      sessionId: { type: "string", description: "From the result" },
      page: { type: "integer", description: "Default: 1" },
    },
    required: ["sessionId"],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  _meta: {},
};
