import type { AskResult } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

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
 * One MCP tool contract for asking. A dialect only translates: the questions it reads are checked by the core,
 * and the result it writes is the core's. Adding one means one file here, and its line in `index.ts`.
 */
export interface Dialect {
  /** The tool as it is published, with the default timeout in force (ms). */
  definition(options: { defaultTimeout: number }): ToolDefinition;
  /** The tool's arguments as the `ask_user` contract's input, still unchecked. */
  input(args: unknown): unknown;
  /** The result in the dialect's own form. */
  output(result: AskResult): CallToolResult;
}

/** A result object in both fields, complete in each: some clients drop the one, some the other. */
export function inBothFields(result: AskResult): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
}

/** Asking changes nothing that the agent works on, so a client need not ask a person whether a person may be asked. */
export const askAnnotations = Object.freeze({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true });

/** Keeps the tools out of Claude Code's tool search, which would hide them from the model until it looks for them. */
export const alwaysLoad = Object.freeze({ "anthropic/alwaysLoad": true });
