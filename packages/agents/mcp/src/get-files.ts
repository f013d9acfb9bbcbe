import type { ToolDefinition } from "./dialects/dialect.ts";

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
