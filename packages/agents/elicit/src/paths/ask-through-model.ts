import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ElicitQuestion, withPage } from "../question/question.ts";

/** The contract's own wording (`elicitation`, "Fallback Response Format"). */
const instructions = "Call sendElicitationResult tool after collecting user input";

/**
 * A result that makes the model pass the question on to its person. Models only see the text, so it contains everything they need. If the
 * tool promises structured output, clients accept a result without it only as an error.
 */
export function pendingResult(
  elicitId: string,
  question: ElicitQuestion,
  { hasOutputSchema }: { hasOutputSchema: boolean },
): CallToolResult {
  const { page, schema } = question;
  const message = withPage(question);
  const { properties, additionalProperties } = schema;
  const isEmpty = properties !== undefined && Object.keys(Object(properties)).length === 0 && additionalProperties === undefined;
  const text = [
    "This tool requires user input to continue.",
    `**Question:** ${message}`,
    ...(isEmpty ? [] : [`**Expected content (JSON Schema):**\n\n\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``]),
    `Put the question to the user, word for word, and wait for the reply; never answer it yourself. Then call sendElicitationResult with:\n\n${[
      `- elicitId: ${JSON.stringify(elicitId)}`,
      `- action: "accept" when the user ${page === undefined ? "answers" : "has been to the page"}, "decline" when the user refuses, "cancel" when the user dismisses it`,
      ...(isEmpty
        ? []
        : ['- content: an object that fits the schema, only with "accept"; leave out what the user did not answer, whatever its default']),
    ].join("\n")}`,
  ].join("\n\n");
  return {
    content: [{ type: "text", text }],
    ...(hasOutputSchema ? { isError: true } : {}),
    _meta: { elicitationPending: { elicitId, message, schema, instructions } },
  };
}
