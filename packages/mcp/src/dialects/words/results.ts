import type { AskResult } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { askedBackSentence, ticketSentence } from "./sentences.ts";

/**
 * A result object in both fields, complete in each: some clients drop the one, some the other. A model that reads only the text is told in a
 * sentence what to do about a ticket, or about what a person asks back.
 */
export function inBothFields(result: AskResult): CallToolResult {
  const next = result.askedBack === undefined ? ticketSentence : askedBackSentence;
  return { ...inWords(JSON.stringify(result), result.pending ? next(result) : undefined), structuredContent: { ...result } };
}

/** A result of texts alone; the first is the answer itself. */
export function inWords(...texts: (string | undefined)[]): CallToolResult {
  return { content: texts.flatMap((text) => (text ? [{ type: "text" as const, text }] : [])) };
}

/** A result that failed. The text says so by itself, because `isError` does not reach every model. */
export const failedInWords = (...texts: (string | undefined)[]): CallToolResult => ({ ...inWords(...texts), isError: true });

export const validationError = (sentence: string): CallToolResult => failedInWords(`Validation error: ${sentence}`);
