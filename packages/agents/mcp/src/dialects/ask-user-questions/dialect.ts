import { once } from "../../once.ts";
import { alwaysLoad, askSeveral, type Dialect, type JsonSchema } from "../dialect.ts";

const description = `Ask the person you work for 1-4 questions with 2-4 options each, and wait for their answers in this call.

Use it when you need a decision, a preference or a clarification that changes what you do next. For each question, the person chooses an option (or several, with multiSelect) or writes their own answer. They can always do that, so do not add an option for it.

The result lists the questions by number, each with the chosen options, the person's own words, or a note that it was not answered. A rejection or a timeout is not consent: do not proceed as if the person had agreed.`;

const inputSchema: JsonSchema = {
  type: "object",
  properties: {
    questions: {
      type: "array",
      description: "1-4 questions that belong together",
      minItems: 1,
      maxItems: 4,
      items: {
        type: "object",
        properties: {
          prompt: { type: "string", description: "The complete question, clear and ending with a question mark", minLength: 1 },
          title: { type: "string", description: "A very short label for it, such as Framework", minLength: 1 },
          options: {
            type: "array",
            description: "2-4 distinct choices",
            minItems: 2,
            maxItems: 4,
            items: {
              type: "object",
              properties: {
                label: { type: "string", description: "What the person sees and you receive", minLength: 1 },
                description: { type: "string", description: "What choosing it means" },
              },
              required: ["label"],
            },
          },
          multiSelect: { type: "boolean", description: "Whether several options may be chosen (default: false)", default: false },
        },
        required: ["prompt", "title", "options"],
      },
    },
  },
  required: ["questions"],
};

/** The `ask_user_questions` contract; its annotations are the contract's own. */
export const askUserQuestions: Dialect = {
  traits: { format: "text", agentId: false, inTurn: false, inlineReply: false },
  advice: askSeveral,
  definition: () => ({
    name: "ask_user_questions",
    title: "Ask the person questions",
    description,
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).askUserQuestionsCodec),
};
