import { type ErrorCode, isAskboxError, toAskboxError } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { fallbackAdvice } from "../clients.ts";
import { failedInWords, validationError } from "../dialects/words/results.ts";
import { sentence } from "../dialects/words/sentences.ts";
import type { Call, Reply } from "./call.ts";

/** A failed result. The text says so as well, because not every model sees `isError`. */
export function failed(text: string, error: ErrorCode): Reply {
  return { result: failedInWords(text), error };
}

/** A rejected input, with the contract's message. */
export function refused(sentence: string, refuse: (sentence: string) => CallToolResult = validationError): Reply {
  return { result: refuse(sentence), error: "VALIDATION" };
}

/**
 * The structured error for an agent id that is not registered; undefined for any other error. Complete in both fields, like every result.
 */
export function unknownAgent(thrown: unknown): Reply | undefined {
  if (!isAskboxError(thrown, "UNKNOWN_AGENT")) return undefined;
  const error = { error: "unknown agent_id", agent_id: thrown.details?.["agentId"] ?? null, message: `Failed: ${thrown.message}` };
  return { result: { ...failedInWords(JSON.stringify(error)), structuredContent: error }, error: thrown.code };
}

/** How far an ask has progressed. */
export interface AskProgress {
  /** The questions were sent, and the hub may have them although it did not confirm. */
  isUnderWay?: boolean;
  /** The hub has them. */
  sessionId?: string | undefined;
}

interface FailureParts extends AskProgress {
  /** How the tool's contract rejects an input. */
  refuse?: (sentence: string) => CallToolResult;
}

/**
 * What the agent is told if its questions did not arrive, or the connection was lost: what happened, and how else it may ask. If the call
 * was cancelled, the error is rethrown.
 */
export function failure(call: Call, thrown: unknown, { isUnderWay = false, sessionId, refuse }: FailureParts = {}): Reply {
  if (call.signal.aborted) throw thrown;
  const error = toAskboxError(thrown);
  if (error.code === "VALIDATION") return refused(error.message, refuse);
  const data = { callId: call.id, code: error.code, error: error.message, sessionId };
  call.server.log("warn", "Session failed", data);
  const reason = sentence(error.message);
  if (error.code === "SESSION_NOT_FOUND") return failed(`Failed: ${reason} Ask again with ${call.server.askTool}.`, error.code);
  if (error.code === "CONFLICT") return failed(`Failed: the person was not asked yet. ${reason}`, error.code);
  const { askTool, fallback } = call.server;
  const wayOut = fallbackAdvice(call.client.name, fallback);
  if (sessionId !== undefined) {
    const text = `Failed: waiting for the answer was interrupted. ${reason} The questions stay open under sessionId ${sessionId}: call get_answer with it to keep waiting, or ${wayOut}.`;
    return failed(text, error.code);
  }
  // An error response is certain; a lost connection leaves open what arrived.
  const isCertain = !isUnderWay || error.code !== "HUB_UNREACHABLE";
  const text = isCertain
    ? `Failed: the person was not asked. ${reason} Until that is fixed, ${wayOut}. Do not take silence for an answer.`
    : `Failed: it is not certain that the person was asked. ${reason} Ask the same again with ${askTool}, which joins the questions if they did get through, or ${wayOut}. Do not take silence for an answer.`;
  return failed(text, error.code);
}
