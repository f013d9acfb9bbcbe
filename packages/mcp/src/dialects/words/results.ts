import type { AskResult } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { askedBackSentence, ticketSentence } from "./sentences.ts";

/**
 * A result object in both fields, complete in each, since clients drop one or the other. In the text, a sentence tells the model what to do
 * with a ticket, or with what a person asks back.
 */
export function inBothFields(result: AskResult): CallToolResult {
  const next = result.askedBack === undefined ? ticketSentence : askedBackSentence;
  return { ...inWords(JSON.stringify(result), result.pending ? next(result) : undefined), structuredContent: { ...result } };
}

/** A text-only result; the first text is the answer itself. */
export function inWords(...texts: (string | undefined)[]): CallToolResult {
  return { content: texts.flatMap((text) => (text ? [{ type: "text" as const, text }] : [])) };
}

/** A failed result. The text says so as well, because not every model sees `isError`. */
export const failedInWords = (...texts: (string | undefined)[]): CallToolResult => ({ ...inWords(...texts), isError: true });

export const validationError = (sentence: string): CallToolResult => failedInWords(`Validation error: ${sentence}`);
