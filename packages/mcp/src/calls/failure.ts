import { type ErrorCode, toAskboxError } from "@askbox/core";
import { ownWayToAsk } from "../clients.ts";
import type { Call, Reply } from "./call.ts";

/** A result that failed. The text says so by itself, because `isError` does not reach every model. */
export function failed(text: string, error: ErrorCode): Reply {
  return { result: { content: [{ type: "text", text }], isError: true }, error };
}

/** A refused input, in the contract's words. */
export function refused(sentence: string): Reply {
  return failed(`Validation error: ${sentence}`, "VALIDATION");
}

/**
 * What the agent is told when its questions did not get through, or were lost sight of: what happened, and how else it may ask.
 * Of a call that was cancelled nothing is told; the error goes on its way.
 */
export function failure(call: Call, thrown: unknown, sessionId?: string): Reply {
  if (call.signal.aborted) throw thrown;
  const error = toAskboxError(thrown);
  if (error.code === "VALIDATION") return refused(error.message);
  const data = { callId: call.id, code: error.code, error: error.message, ...(sessionId === undefined ? {} : { sessionId }) };
  call.server.log("warn", "Session failed", data);
  const reason = sentence(error.message);
  if (error.code === "SESSION_NOT_FOUND") return failed(`Failed: ${reason} Ask again with ${call.server.askTool}.`, error.code);
  const wayOut = ownWayToAsk(call.client.name);
  const text =
    sessionId === undefined
      ? `Failed: the person was not asked. ${reason} Until that is mended, use ${wayOut}. Do not take silence for an answer.`
      : `Failed: the wait for the answer broke off. ${reason} The questions stay open under sessionId ${sessionId}: call get_answer with it to go on waiting, or use ${wayOut}.`;
  return failed(text, error.code);
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
