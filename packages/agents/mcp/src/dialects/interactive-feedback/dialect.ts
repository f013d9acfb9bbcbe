import { once } from "../../once.ts";
import { alwaysLoad, askAnnotations, askOne, type Dialect } from "../dialect.ts";

const description = `Ask the person you work for for feedback, and wait for it in this call. They may always write their own reply.

Pass one of
- message, and predefined_options to choose from: the result is JSON with interactive_feedback, the chosen options and then their own words;
- project_directory and summary, each of one line: the result is JSON with logs and interactive_feedback;
- project_directory, summary and timeout in seconds, where the summary may have several lines: the result is a text.

A result with "Failed:" or "Pending:" is no feedback, and not consent.`;

/** The `interactive_feedback` contracts of three servers, told apart by the fields of a call. */
export const interactiveFeedback: Dialect = {
  traits: { format: "text", agentId: false, inTurn: false, inlineReply: false },
  advice: askOne,
  definition: () => ({
    name: "interactive_feedback",
    title: "Ask for feedback",
    description,
    inputSchema: {
      type: "object",
      properties: {
        message: { type: "string", description: "The question for the person, in markdown" },
        predefined_options: {
          type: "array",
          items: { type: "string" },
          description: "With message: options that the person may choose from, one or several",
        },
        project_directory: { type: "string", description: "Full path to the project directory" },
        summary: { type: "string", description: "Short summary of what you have done or want to know; one line unless there is a timeout" },
        timeout: {
          type: "integer",
          description: "Seconds to wait for feedback, 60 to 86,400 (default: 600). askbox waits at most 1,800",
        },
      },
    },
    annotations: askAnnotations,
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).interactiveFeedbackCodec),
};
