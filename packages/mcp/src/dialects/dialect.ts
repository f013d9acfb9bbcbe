/** A JSON Schema as it is published in `tools/list`, keyword for keyword. */
export type JsonSchema = Record<string, unknown>;

/** What `tools/list` says of a tool. Kept free of zod and of the core, so that listing the tools loads neither. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  _meta: Record<string, unknown>;
}

/**
 * One MCP tool contract for asking, as it is published. What its calls read and write is its `Speech`, which is loaded with the first call.
 * Adding one means a file here and one in `speech/`, and their lines in the two `index.ts`.
 */
export interface Dialect {
  /** The tool as it is published, with the default timeout in force (ms). */
  definition(options: { defaultTimeout: number }): ToolDefinition;
  /** `json`: results have the fields of `ask_user`; `text`: they are sentences. */
  results: "json" | "text";
}

/** Asking changes nothing that the agent works on, so a client need not ask a person whether a person may be asked. */
export const askAnnotations = Object.freeze({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true });

/** Keeps the tools out of Claude Code's tool search, which would hide them from the model until it looks for them. */
export const alwaysLoad = Object.freeze({ "anthropic/alwaysLoad": true });
