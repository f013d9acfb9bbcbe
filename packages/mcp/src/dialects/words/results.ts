import type { AskResult } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";

/** A result object in both fields, complete in each: some clients drop the one, some the other. */
export function inBothFields(result: AskResult): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: { ...result } };
}

/** A result of texts alone; the first is the answer itself. */
export function inWords(...texts: (string | undefined)[]): CallToolResult {
  return { content: texts.flatMap((text) => (text ? [{ type: "text" as const, text }] : [])) };
}

/** A result that failed. The text says so by itself, because `isError` does not reach every model. */
export const failedInWords = (...texts: (string | undefined)[]): CallToolResult => ({ ...inWords(...texts), isError: true });

export const validationError = (sentence: string): CallToolResult => failedInWords(`Validation error: ${sentence}`);
