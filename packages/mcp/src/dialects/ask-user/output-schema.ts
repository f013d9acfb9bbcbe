import type { JsonSchema } from "../dialect.ts";

const answers: JsonSchema = {
  type: "array",
  description: "One answer for each question, in the questions' order. Empty unless answered",
  items: {
    type: "object",
    properties: {
      questionId: { type: "string", description: "ID of the question this answer corresponds to" },
      values: {
        type: "array",
        items: { type: "string" },
        description: 'The text, the chosen options\' values, or "yes" or "no". Empty when skipped, or when customText stands alone',
      },
      customText: { type: "string", description: "The person's own text beside, or instead of, the options (Other)" },
      note: { type: "string", description: "A remark on this answer" },
      input: { type: "object", propertyNames: { type: "string" }, description: "Changed arguments of an approval" },
    },
    required: ["questionId", "values"],
  },
};

const contractFields = {
  answered: { type: "boolean", description: "True if the person answered" },
  cancelled: { type: "boolean", description: "True if the questions were cancelled" },
  timedOut: { type: "boolean", description: "True if nobody answered in time. Silence is not a decision" },
  answers,
};

const contractRequired = ["answered", "cancelled", "timedOut", "answers"];

const askboxFields = {
  sessionId: { type: "string", description: "ID of this set of questions" },
  reason: { type: "string", description: "Why it was cancelled" },
  comment: { type: "string", description: "The person's words about the whole" },
  answeredBy: {
    type: "object",
    description: "Where the outcome came from",
    properties: { surface: { type: "string" }, name: { type: "string" } },
    required: ["surface"],
  },
  late: { type: "boolean", description: "The answer was given to an earlier call of yours that had gone" },
  seen: { type: "boolean", description: "Of a timeout: whether anybody had the questions open" },
  pending: { type: "boolean", description: "Still open: call get_answer with the sessionId to go on waiting" },
  askedBack: {
    type: "array",
    description:
      "What the person wants to know from you, in markdown; while pending is true nothing is answered. Reply with get_answer {sessionId, reply}",
    items: {
      type: "object",
      properties: { questionId: { type: "string", description: "The question it is about" }, text: { type: "string" } },
      required: ["text"],
    },
  },
};

/** What `ask_user` and `get_answer` give back: the contract's four fields, always, and askbox's own. */
export const outputSchema: JsonSchema = {
  type: "object",
  properties: {
    ...contractFields,
    ...askboxFields,
    earlier: {
      type: "array",
      description: "Outcomes of your earlier questions that you have not been given before",
      items: {
        type: "object",
        properties: {
          ...contractFields,
          ...askboxFields,
          title: { type: "string" },
          questions: {
            type: "array",
            items: {
              type: "object",
              properties: { id: { type: "string" }, question: { type: "string" } },
              required: ["id", "question"],
            },
          },
          repliedAfterTimeout: { type: "boolean", description: "The answers came after the deadline" },
        },
        required: [...contractRequired, "questions"],
      },
    },
  },
  required: contractRequired,
};
