import type { AskRequest, AskResult, Ids } from "@askbox/core";
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

/** What the rest of askbox may know about a dialect. Nothing outside a dialect's folder compares its name. */
export interface DialectTraits {
  /** `json`: results have the fields of `ask_user`; `text`: they are sentences. */
  format: "json" | "text";
  /** Each call names its agent by `agent_id`, and `get_answer` takes it too. */
  agentId: boolean;
  /** A call waits until earlier calls of the same agent are over, and the agent must be registered once any is. */
  inTurn: boolean;
  /** People are offered a reply in plain words right in their list of questions. */
  inlineReply: boolean;
}

/**
 * One MCP tool contract for asking. Each has a folder here: `dialect.ts`, which listing the tools loads, and `speech.ts`, which the first call
 * loads. Adding one takes these two files and a line in `index.ts`.
 */
export interface Dialect {
  traits: Readonly<DialectTraits>;
  /** For the server's instructions: how to put questions to this tool. */
  advice: string;
  /** The tool as it is published, with the default timeout in force (ms). */
  definition(options: { defaultTimeout: number }): ToolDefinition;
  /** Loads how its calls are read and its results are worded. */
  speech(): Promise<Speech>;
}

/** What a tool contract reads and writes. It only translates: questions and answers are checked by the core. */
export interface Speech {
  /** Throws `VALIDATION` with the contract's own sentence. */
  read(args: unknown, options: ReadOptions): Ask;
  /** The result, with what was asked as far as that is known. */
  write(result: AskResult, request: AskRequest | undefined): CallToolResult;
  /** A refused input. */
  refuse(sentence: string): CallToolResult;
}

/** A call of an asking tool, understood: questions, or the reply to what a person asked back about earlier ones. */
export type Ask = {
  /** The agent as the call itself names it. */
  agentId?: string;
} & (
  | {
      request: AskRequest;
      /** The session whose place the questions take. */
      replaces?: string;
      reply?: undefined;
    }
  | { reply: { sessionId: string; text: string } }
);

export interface ReadOptions {
  ids: Ids;
  /** The timeout in force for calls that name none (ms). */
  defaultTimeout: number;
  /** The same, if it was set for this server (ms); tools with a timeout of their own heed it alone. */
  timeout?: number | undefined;
}

/** Asking changes nothing that the agent works on, so a client need not ask a person whether a person may be asked. */
export const askAnnotations = Object.freeze({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true });

/** Keeps the tools out of Claude Code's tool search, which would hide them from the model until it looks for them. */
export const alwaysLoad = Object.freeze({ "anthropic/alwaysLoad": true });

/** How to put questions to a tool that takes several at once. */
export const askSeveral = "Ask 1-3 short questions that belong together, with options where there are any,";
