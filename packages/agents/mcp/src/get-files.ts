import type { ToolDefinition } from "./dialects/dialect.ts";

const description =
  "See an answer's files: pictures, and PDFs as text, or with images as pages. If you call tools from code, pass each image on to yourself, as with image(content).";

/** The tool for pictures and PDFs. Without an output schema and structured content, since clients drop images beside those. */
export const getFilesTool: ToolDefinition = {
  name: "get_files",
  title: "See the person's files",
  description,
  inputSchema: {
    type: "object",
    properties: {
      sessionId: { type: "string", description: "From the result" },
      page: { type: "integer", description: "Default: 1" },
      file: { type: "integer" },
      images: { type: "boolean" },
    },
    required: ["sessionId"],
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  _meta: {},
};
