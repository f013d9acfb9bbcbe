import type { AskRequest, AskResult, Ids } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** A JSON Schema exactly as published in `tools/list`. */
export type JsonSchema = Record<string, unknown>;

/** A tool's entry in `tools/list`. Does not import zod or the core, so that listing the tools loads neither. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  _meta: Record<string, unknown>;
}

/** A dialect's traits. Code outside a dialect's folder never compares its name. */
export interface DialectTraits {
  /** `json`: results have the fields of `ask_user`; `text`: they are sentences. */
  format: "json" | "text";
  /** Each call identifies its agent by `agent_id`, and `get_answer` accepts it too. */
  agentId: boolean;
  /** A call waits until earlier calls of the same agent have ended, and if any agent is registered, its own must be. */
  inTurn: boolean;
  /** People are offered a free-text reply directly in their list of questions. */
  inlineReply: boolean;
}

/**
 * One MCP tool contract for asking. Each has a folder here: `dialect.ts`, which is loaded to list the tools, and `codec.ts`, which the
 * first call loads. To add one, add these two files and a line in `index.ts`.
 */
export interface Dialect {
  traits: Readonly<DialectTraits>;
  /** For the server's instructions: how to use this tool. */
  advice: string;
  /** The published tool, with the current default timeout (ms). */
  definition(options: { defaultTimeout: number }): ToolDefinition;
  /** Loads the code that parses its calls and formats its results. */
  codec(): Promise<DialectCodec>;
}

/** Before or after the text. */
export type PicturePlace = "first" | "last";

/** How a tool contract parses calls and formats results. It only translates; the core validates questions and answers. */
export interface DialectCodec {
  /** Throws `VALIDATION` with the contract's own sentence. */
  read(args: unknown, options: ReadOptions): Ask;
  /** The result, with what was asked as far as that is known. */
  write(result: AskResult, request: AskRequest | undefined): CallToolResult;
  /** Where the contract has the pictures of an answer; absent or undefined where only `get_files` shows them. */
  pictures?(request: AskRequest | undefined): PicturePlace | undefined;
  /** A rejected input. */
  refuse(sentence: string): CallToolResult;
}

/** A parsed call of an asking tool: questions, or the reply to what a person asked back about earlier ones. */
export type Ask = {
  /** The agent id given in the call itself. */
  agentId?: string;
  /** The project folder given in the call, as an absolute path: used if the server knows none of its own. */
  project?: string | undefined;
} & (
  | {
      request: AskRequest;
      /** The session that the questions replace. */
      replaces?: string;
      reply?: undefined;
    }
  | { reply: { sessionId: string; text: string } }
);

export interface ReadOptions {
  ids: Ids;
  /** The timeout of calls without one (ms). */
  defaultTimeout: number;
  /** The same, if configured for this server (ms); tools with their own default only use this one. */
  timeout?: number | undefined;
}

/** Asking changes nothing that the agent works on, so a client need not ask for permission. */
export const askAnnotations = Object.freeze({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true });

/** Excludes the tools from Claude Code's tool search, which would hide them until the model searches for them. */
export const alwaysLoad = Object.freeze({ "anthropic/alwaysLoad": true });

/** How to use a tool that accepts one message. */
export const askOne = "Put one message that is understandable on its own, with options where there are any,";

/** How to use a tool that accepts several questions. */
export const askSeveral = "Ask 1-3 short questions that belong together, with options where there are any,";
