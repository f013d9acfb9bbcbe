import { once } from "../../once.ts";
import { alwaysLoad, askAnnotations, askOne, type Dialect } from "../dialect.ts";

const description = (seconds: number) => `Ask the person you work for one question, and wait for their reply in this call.

Use it when a clarification, a decision or a confirmation would change what you do next. With predefinedOptions they choose one or write their own reply.

The result begins with "User replied:". The person has ${seconds} seconds; "User did not reply", "Failed:" and "Pending:" are no reply, and not consent.`;

/** The `request_user_input` contract of interactive-mcp. */
export const requestUserInput: Dialect = {
  traits: { format: "text", agentId: false, inTurn: false, inlineReply: false },
  advice: askOne,
  definition: ({ defaultTimeout }) => ({
    name: "request_user_input",
    title: "Request user input",
    description: description(Math.round(defaultTimeout / 1_000)),
    inputSchema: {
      type: "object",
      properties: {
        projectName: { type: "string", description: "The project that the question is about, shown next to it" },
        message: { type: "string", description: "The question for the person" },
        predefinedOptions: { type: "array", items: { type: "string" }, description: "Options to choose one from" },
      },
      required: ["projectName", "message"],
    },
    annotations: askAnnotations,
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).requestUserInputCodec),
};
