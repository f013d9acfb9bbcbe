import { AskboxError } from "@askbox/core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";

const actions = ["accept", "decline", "cancel"] as const;

/** The tool with which a model submits its person's answer, if there is no other way (`elicitation` contract, "Fallback Elicitation"). */
export const sendElicitationResult = {
  name: "sendElicitationResult",
  title: "Send the user's answer",
  description:
    "Continue a tool that required user input: call this after the user has replied to its question, with the elicitId from the tool's result. Send only what the user said; never answer in the user's place. The result is that of the tool.",
  inputSchema: {
    type: "object",
    properties: {
      elicitId: { type: "string", description: "The elicitId from the result of the tool that asked" },
      action: {
        type: "string",
        enum: [...actions],
        description: "accept: the user answered; decline: the user refused to; cancel: the user dismissed the question",
      },
      content: { type: "object", description: "What the user answered, fitting the schema in the tool's result. Only with accept" },
    },
    required: ["elicitId", "action"],
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
};

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const sentSchema = z.object({
  elicitId: z.string({ error: "elicitId must be the text from the tool's result" }).min(1),
  action: z.enum(actions, { error: `action must be one of ${actions.join(", ")}` }),
  // Not a record, which would lose `__proto__`.
  content: z.preprocess(parsed, z.custom<Record<string, unknown>>(isObject, { error: "content must be an object" }).nullish()),
});

export interface SentResult {
  elicitId: string;
  action: (typeof actions)[number];
  content: Record<string, unknown> | undefined;
}

/** Parses the tool's arguments; unknown fields are stripped. Throws `VALIDATION`. */
export function readSentResult(args: unknown): SentResult {
  const read = sentSchema.safeParse(Object(args));
  if (!read.success)
    throw new AskboxError("VALIDATION", `Validation error: ${read.error.issues[0]?.message ?? "the arguments are not valid"}`);
  const { elicitId, action, content } = read.data;
  return { elicitId, action, content: action === "accept" ? (content ?? {}) : undefined };
}

/** Models sometimes send objects as JSON text. */
function parsed(content: unknown): unknown {
  if (typeof content !== "string") return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** An error as a result, with its code in a place where a program looks for it. */
export function failedResult(error: AskboxError): CallToolResult {
  return { content: [{ type: "text", text: error.message }], isError: true, _meta: { "askbox/error": error.toJSON() } };
}
