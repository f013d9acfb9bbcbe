import { outputSchema } from "./dialects/ask-user/output-schema.ts";
import { alwaysLoad, askAnnotations, type ToolDefinition } from "./dialects/dialect.ts";
import { type DialectName, dialectTraits } from "./dialects/index.ts";

const inFields = `Go on waiting for an answer after a call came back with pending: true.

Give the sessionId from that result. Without one you get the outcomes you have not been given yet, at once, as earlier[]; when there are none, it waits for the question you asked last. The result is that of the asking tool; when it is pending again, the person still has not answered: call get_answer again, or do other work first. The answer is kept for you.

After askedBack, give your reply: the person sees it at once, and the call goes on waiting.`;

const inWords = `Go on waiting for an answer after a call came back with "Pending:".

Give the sessionId from that result. Without one you get the outcomes you have not been given yet, at once; when there are none, it waits for the question you asked last. The result is that of the asking tool; when it is pending again, the person still has not answered: call get_answer again, or do other work first. The answer is kept for you.

After "Asked back:", give your reply: the person sees it at once, and the call goes on waiting.`;

/** The companion of the asking tools: goes on waiting where a call had to come back before its answer, and answers as they do. */
export function getAnswerFor(names: readonly DialectName[]): ToolDefinition {
  const isInWords = names.every((name) => dialectTraits(name).format === "text");
  const withAgent = names.find((name) => dialectTraits(name).agentId);
  return {
    name: "get_answer",
    title: "Get the person's answer",
    description: isInWords ? inWords : inFields,
    inputSchema: {
      type: "object",
      properties: {
        sessionId: { type: "string", description: "The sessionId of the pending result" },
        reply: {
          type: "string",
          description: "What you say to what the person asked back, in markdown, up to 10,000 characters; needs the sessionId",
        },
        wait: {
          type: "integer",
          description: "How long to wait, in milliseconds; 0 looks without waiting. Default: as long as this client allows",
          minimum: 0,
          maximum: 1_800_000,
        },
        ...(withAgent !== undefined && { agent_id: { type: "string", description: `Your agent id, as you give it to ${withAgent}` } }),
      },
    },
    ...(isInWords ? {} : { outputSchema }),
    annotations: askAnnotations,
    _meta: alwaysLoad,
  };
}
