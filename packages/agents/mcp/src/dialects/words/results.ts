import type { AskResult, EarlierResult } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { askedBackSentence, nextAfterAskedBack, nextAfterTicket, ticketSentence } from "./sentences.ts";

/**
 * A result object in both fields, complete in each, since clients drop one or the other. Whatever is pending says in `next` what to call, and
 * for models that read texts a sentence follows.
 */
export function inBothFields(result: AskResult): CallToolResult {
  const { earlier } = result;
  const told = { ...withNext(result), ...(earlier !== undefined && { earlier: earlier.map(withNext) }) };
  const sentence = result.askedBack === undefined ? ticketSentence : askedBackSentence;
  return { ...inWords(JSON.stringify(told), result.pending ? sentence(result) : undefined), structuredContent: told };
}

function withNext<Result extends AskResult | EarlierResult>(result: Result): Result & { next?: string } {
  const { pending, sessionId, askedBack } = result;
  if (!pending || sessionId === undefined) return result;
  return { ...result, next: (askedBack === undefined ? nextAfterTicket : nextAfterAskedBack)(sessionId) };
}

/** A text-only result; the first text is the answer itself. */
export function inWords(...texts: (string | undefined)[]): CallToolResult {
  return { content: texts.flatMap((text) => (text ? [{ type: "text" as const, text }] : [])) };
}

/** A failed result. The text says so as well, because not every model sees `isError`. */
export const failedInWords = (...texts: (string | undefined)[]): CallToolResult => ({ ...inWords(...texts), isError: true });

export const validationError = (sentence: string): CallToolResult => failedInWords(`Validation error: ${sentence}`);
