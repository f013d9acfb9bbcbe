import type { AskRequest, AskResult, Ids } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** A call of an asking tool, understood. */
export interface Ask {
  request: AskRequest;
  /** The agent as the call itself names it. */
  agentId?: string;
  /** Whether it waits until earlier calls of the same agent are over, and whether the agent must be registered once any is. */
  inTurn?: boolean;
}

export interface ReadOptions {
  ids: Ids;
  /** The timeout in force for calls that name none (ms). */
  defaultTimeout: number;
  /** The same, if it was set for this server (ms); tools with a timeout of their own heed it alone. */
  timeout?: number | undefined;
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
