import { AskboxError, type Clock } from "@askbox/core";
import { ElicitationNotSupportedError, ElicitationTimeoutError } from "../question/errors.ts";
import type { ElicitQuestion } from "../question/question.ts";
import { withPage } from "../question/question.ts";
import { byMetaKey, type ElicitedBy, type UncheckedResult } from "../question/result.ts";
import type { CallContext, DeclaredElicitation } from "../tool-call/tool-call.ts";

/** How much longer the SDK's own timeout is, in ms: its default would end the question after a minute. */
const grace = 60_000;

/** Asks with a server request (revisions up to 2025-11-25), and waits for its response. Throws `ElicitationTimeoutError`, `ABORTED`. */
export async function askInClient(
  call: CallContext,
  question: ElicitQuestion,
  declared: DeclaredElicitation,
  clock: Clock,
): Promise<UncheckedResult> {
  const { ttl } = question;
  const over = new AbortController();
  const cancel = clock.setTimer(ttl, () => over.abort());
  const signal = AbortSignal.any([call.signal, over.signal]);
  try {
    return resultOf(await call.show(paramsOf(question, declared), { signal, timeout: ttl + grace }));
  } catch (cause) {
    if (call.signal.aborted) throw new AskboxError("ABORTED", "The call was cancelled before the person had answered.", { cause });
    if (over.signal.aborted) throw new ElicitationTimeoutError(ttl, { cause });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ElicitationNotSupportedError(`The client could not show the question: ${reason}.`, { cause });
  } finally {
    cancel();
  }
}

function paramsOf(question: ElicitQuestion, declared: DeclaredElicitation): Record<string, unknown> {
  const { message, page } = question;
  if (page !== undefined && declared.url) return { mode: "url", message, ...page };
  return { mode: "form", message: withPage(question), requestedSchema: question.form().form };
}

/** The same question as part of a result (revisions since 2026-07-28). */
export function inputRequestOf(question: ElicitQuestion, declared: DeclaredElicitation): { method: string; params: object } {
  // A visit has no id there: the request's key identifies it.
  const { elicitationId: _, ...params } = paramsOf(question, declared);
  return { method: "elicitation/create", params };
}

/** A client's response, not validated before. Anything that is not clearly an answer is a dismissal. */
export function resultOf(response: unknown): UncheckedResult {
  const { action, content, _meta } = Object(response) as Record<string, unknown>;
  const by: ElicitedBy = Object(_meta)[byMetaKey] === "none" ? "none" : "client";
  return action === "accept" ? { status: "accept", content, by } : { status: action === "decline" ? "decline" : "cancel", by };
}
