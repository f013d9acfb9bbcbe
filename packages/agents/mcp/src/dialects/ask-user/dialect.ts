import { once } from "../../once.ts";
import { alwaysLoad, askAnnotations, askSeveral, type Dialect, type JsonSchema } from "../dialect.ts";
import { outputSchema } from "./output-schema.ts";

const description = `Ask the person you work for, and wait for the answer. The call blocks until they answer, cancel, or the timeout passes.

Use it when you need a decision, a missing fact or a confirmation that you cannot get yourself and that changes what you do next; always before something destructive or hard to undo. Do not use it for things you can look up, or only to report progress.

How to ask well:
- 1-3 short questions that belong together in one call, each understandable on its own; a title names their topic.
- Prefer select or multi-select with concrete options over text; mark the one you recommend with recommended. Use confirm for yes or no.
- At most 10 questions of 1,000 characters, and a title of 100. timeout is 10,000-1,800,000 ms.

The result has answered, cancelled, timedOut and answers[] with questionId, values[] and optionally customText (their own words, which count as much as an option) and note. comment is about all questions.
- cancelled or timedOut is not a yes: do not proceed as if it were; take the safe option or ask again.
- pending: the person has not answered yet, and the questions stay open; next says what to call: get_answer with the sessionId keeps waiting.
- askedBack[]: the person wants to know something first. Reply with get_answer {sessionId, reply}, which keeps waiting, or ask better questions with replaces.
- late: given after your earlier call had ended; it counts as much.
- earlier[]: outcomes of your earlier questions; messages[]: words of theirs to you. Take them into account.`;

const question: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string", description: "Optional unique ID for this question" },
    question: {
      type: "string",
      description: "The question text to display. Basic markdown",
      minLength: 1,
      maxLength: 1_000,
    },
    type: {
      type: "string",
      enum: ["text", "select", "multi-select", "confirm"],
      description: "Type of input to collect. Default: select if there are options, otherwise text",
    },
    options: {
      type: "array",
      items: {
        anyOf: [
          { type: "string" },
          {
            type: "object",
            properties: {
              label: { type: "string", description: "What the person sees" },
              value: { type: "string", description: "What you receive if it is chosen (default: the label)" },
              description: { type: "string", description: "What choosing it means" },
              recommended: { type: "boolean", description: "Your advice; not preselected" },
              preview: { type: "string", description: "Markdown or code: its effect" },
            },
            required: ["label"],
          },
        ],
      },
      description: "Options for select/multi-select types, at least one",
    },
    required: { type: "boolean", default: true, description: "Whether an answer is required (default: true)" },
    placeholder: { type: "string", description: "Placeholder text for text inputs" },
    header: { type: "string", description: "A short label" },
    images: {
      type: "array",
      items: { type: "object", properties: { src: { type: "string" }, alt: { type: "string" } }, required: ["src"] },
      description: "Pictures; options take them too. src: a path in the project, or a data URL up to 190 KB",
    },
    allowOther: {
      type: "boolean",
      default: true,
      description: "The person may type their own answer (default: true)",
    },
  },
  required: ["question"],
};

const inputSchema = (defaultTimeout: number): JsonSchema => ({
  type: "object",
  properties: {
    questions: {
      type: "array",
      description: "Array of questions to ask the user",
      items: { $ref: "#/definitions/QuestionInfo" },
      minItems: 1,
      maxItems: 10,
    },
    title: { type: "string", description: "Optional title for the question dialog", maxLength: 100 },
    timeout: {
      type: "integer",
      description: `Timeout in milliseconds (default: ${defaultTimeout} = ${inMinutes(defaultTimeout)})`,
      minimum: 10_000,
      maximum: 1_800_000,
      default: defaultTimeout,
    },
    replaces: {
      type: "string",
      description: "After askedBack: the sessionId whose questions these replace",
    },
  },
  required: ["questions"],
  definitions: { QuestionInfo: question },
});

function inMinutes(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 6_000) / 10;
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** The `ask_user` contract (its API specification, version 1.0) under a configurable name. */
const askUserAs = (name: string): Dialect => ({
  traits: { format: "json", agentId: false, inTurn: false, inlineReply: false },
  advice: askSeveral,
  definition: ({ defaultTimeout }) => ({
    name,
    title: "Ask the person",
    description,
    inputSchema: inputSchema(defaultTimeout),
    outputSchema,
    annotations: askAnnotations,
    _meta: alwaysLoad,
  }),
  codec: once(async () => (await import("./codec.ts")).askUserCodec),
});

export const askUser = askUserAs("ask_user");

/** An alias of `ask_user`. Gemini CLI, headless, drops every MCP tool with the same name as its own `ask_user`. */
export const cnAskUser = askUserAs("cn_ask_user");
