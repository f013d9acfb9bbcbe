import type { JsonSchema } from "../dialect.ts";

const lineNumber: JsonSchema = { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER };

const files: JsonSchema = {
  type: "array",
  maxItems: 20,
  description: "What the person attached",
  items: {
    type: "object",
    properties: {
      name: { type: "string" },
      mimeType: { type: "string" },
      size: { type: "number", description: "Bytes" },
      sha256: { type: "string" },
      caption: { type: "string" },
      path: { type: "string", description: "Where you can read it" },
    },
    required: ["name", "mimeType", "size", "sha256"],
  },
};

const answers: JsonSchema = {
  type: "array",
  description: "One answer per question, in the order of the questions. Empty unless answered",
  items: {
    type: "object",
    properties: {
      questionId: { type: "string", description: "ID of the question this answer corresponds to" },
      values: {
        type: "array",
        items: { type: "string" },
        description: 'The text, the chosen options\' values, or "yes" or "no". Empty if skipped, or if there is only customText',
      },
      customText: { type: "string", description: "The person's own text in addition to, or instead of, the options (Other)" },
      note: { type: "string", description: "A remark on this answer" },
      input: { type: "object", propertyNames: { type: "string" }, description: "Changed arguments of an approval" },
      comments: {
        type: "array",
        maxItems: 200,
        description: "Comments on lines of a review's document, which are also in note",
        items: {
          type: "object",
          properties: {
            path: { type: "string" },
            side: { type: "string", enum: ["old", "new"] },
            line: lineNumber,
            endLine: lineNumber,
            quote: { type: "string", description: "The text of these lines" },
            text: { type: "string", minLength: 1, maxLength: 10_000 },
          },
          required: ["line", "text"],
        },
      },
      files,
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
  comment: { type: "string", description: "The person's comment on the whole set" },
  files: { ...files, description: "Files with that comment" },
  answeredBy: {
    type: "object",
    description: "Where the outcome came from",
    properties: { surface: { type: "string" }, name: { type: "string" } },
    required: ["surface"],
  },
  late: { type: "boolean", description: "The answer was given to an earlier call of yours that had ended" },
  seen: { type: "boolean", description: "For a timeout: whether anybody had the questions open" },
  pending: { type: "boolean", description: "Still open: call get_answer with the sessionId to keep waiting" },
  next: { type: "string", description: "What to call or do now, if anything" },
  askedBack: {
    type: "array",
    description:
      "What the person asks you, in markdown; nothing is answered while pending is true. Reply with get_answer {sessionId, reply}",
    items: {
      type: "object",
      properties: { questionId: { type: "string", description: "The question it is about" }, text: { type: "string" }, files },
      required: ["text"],
    },
  },
};

const messages: JsonSchema = {
  type: "array",
  description: "What the person wrote to you without having been asked, in markdown",
  items: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/** The result of `ask_user` and `get_answer`: the contract's four fields, always, and askbox's own. */
export const outputSchema: JsonSchema = {
  type: "object",
  properties: {
    ...contractFields,
    ...askboxFields,
    messages,
    earlier: {
      type: "array",
      description: "Outcomes of your earlier questions that you have not received yet",
      items: {
        type: "object",
        properties: {
          ...contractFields,
          ...askboxFields,
          messages,
          received: { type: "boolean", description: "You have received this outcome before: only messages is new" },
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
