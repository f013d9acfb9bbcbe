import * as z from "zod";
import { exactMembers } from "../../exact-json.ts";
import { defined } from "../../objects.ts";
import { askedImages, imagesSchema } from "../images.ts";
import { limits } from "../limits.ts";
import { actionKinds, denialStatuses, maxFiles, ratingSteps, textFormats } from "./constants.ts";

// Apart from what the types do, since a page that answers questions needs no schemas.

const optionalText = z.string().optional();
const optionalFlag = z.boolean().optional();

/** What an agent may send for a question of any type. */
const inputBase = z.object({
  id: optionalText,
  question: z.string().min(limits.questionLength.min).max(limits.questionLength.max),
  required: z.boolean().default(true),
  header: optionalText,
  images: askedImages,
});
export type QuestionInputBase = z.infer<typeof inputBase>;

/** The stored fields of every question. */
const storedBase = z.object({
  id: z.string(),
  /** The question's text; basic markdown. */
  question: z.string(),
  /** Whether it must be answered; other questions may be skipped. */
  required: z.boolean(),
  /** A short label beside the question. */
  header: optionalText,
  images: imagesSchema,
});
export type QuestionBase = z.infer<typeof storedBase>;

/** One option as stored; its `value` is what the agent receives. */
const optionSchema = z.object({
  label: z.string(),
  value: z.string(),
  description: optionalText,
  /** The agent's own recommendation. Shown, never preselected. */
  recommended: optionalFlag,
  /** Markdown or code that shows what choosing it would mean. */
  preview: optionalText,
  images: imagesSchema,
});
const optionInput = z.union([z.string(), optionSchema.extend({ value: optionalText, images: askedImages })], {
  error: "must be a string or an object with a label",
});
/** One option of a question; `value` is what the answer contains. */
export type Option = z.infer<typeof optionSchema>;

/** What an agent sends for `select` and `multi-select`. */
const choiceInput = inputBase.extend({
  options: z.array(optionInput).optional(),
  allowOther: z.boolean().default(true),
  placeholder: optionalText,
});
export type ChoiceInput = z.infer<typeof choiceInput>;

/** What `select` and `multi-select` share. */
const choiceBase = storedBase.extend({
  options: z.array(optionSchema),
  /** Whether a text in the person's own words is accepted in addition to, or instead of, the options. */
  allowOther: z.boolean(),
  placeholder: optionalText,
});
/** A question with options to choose from. */
export type ChoiceQuestion = z.infer<typeof choiceBase>;

/** What would be done if it is allowed. All of it is shown, and grants match all of it. */
export const actionSchema = z.object({
  kind: z.enum(actionKinds),
  /** The client's own name for the tool. */
  tool: optionalText,
  /** The agent's short description: shown, but never used to decide. */
  title: optionalText,
  /** The shell command. */
  command: optionalText,
  /** Its working folder. */
  cwd: optionalText,
  /** The file to write, or the address to fetch. */
  path: optionalText,
  /** A unified diff. */
  diff: optionalText,
  /** A plan, as markdown. */
  text: optionalText,
  /** The tool's arguments as the client will pass them. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** The same as JSON text, if `input` cannot hold them exactly, such as a 64-bit integer. It is what is shown and compared. */
  inputJson: z
    .string()
    .refine((text) => exactMembers(text) !== undefined, { error: "it must be a JSON object" })
    .optional(),
});
/** What an agent would do: a command, an edit, a fetch, a tool, a plan or something else. */
export type Action = z.infer<typeof actionSchema>;

/** Why a model that reviews an agent's calls has not let the action run. Its words are shown; nothing is decided by them. */
export const denialSchema = z.object({
  /** What reviewed it, as the client calls it. */
  reviewer: z.string().min(1).max(100),
  status: z.enum(denialStatuses).default("denied"),
  reason: z.string().max(4_000).optional(),
  /** How dangerous the reviewer found it, in its word, such as `high`. */
  risk: z.string().max(40).optional(),
  /** How far the reviewer found that the user wanted it. */
  authorization: z.string().max(40).optional(),
});
/** A reviewing model's denial. */
export type Denial = z.infer<typeof denialSchema>;

/** In characters. */
const length = z.int().min(0);
/** Agents send numbers as strings, too. */
const numeric = z.union([z.number(), z.string()], { error: "must be a number" });
const yesOrNo = z.enum(["yes", "no"]);
const approvalFields = {
  type: z.literal("approval"),
  /** Whether the answer may change the action's arguments. */
  editable: optionalFlag,
  /** What the agent itself offers to remember, in its words, which may not say how far it goes. No value looks like a decision or a grant of askbox. */
  agentOptions: z
    .array(
      z.object({
        value: z
          .string()
          .regex(/^agent:./)
          .max(200),
        label: z.string().max(200),
      }),
    )
    .max(10)
    .optional(),
};
const grantInput = z.union([z.string(), z.object({ value: z.string() })], { error: 'must be "session" or "project"' });
const dateFields = {
  type: z.literal("date"),
  /** The earliest valid day, `YYYY-MM-DD`. */
  min: optionalText,
  /** The latest valid day, `YYYY-MM-DD`. */
  max: optionalText,
  suggestion: optionalText,
};
const rankingOmits = { allowOther: true, placeholder: true } as const;
const fileFields = {
  type: z.literal("file"),
  /** The most files, 1 to 20; 20 without it. */
  maxFiles: z.int().min(1).max(maxFiles).optional(),
  /** The most bytes of each. */
  maxBytes: z.int().min(1).optional(),
};
const reviewFields = { type: z.literal("review"), document: z.string() };

/**
 * The fields of each type: `input` is what an agent sends, whose unknown fields are stripped, and `stored` is what becomes of it. A
 * `suggestion` is the agent's, in the format of an answer: the person can accept it, and it is never filled in automatically.
 */
export const schemas = {
  text: {
    input: inputBase.extend({
      type: z.literal("text").optional(),
      placeholder: optionalText,
      format: z.enum(textFormats).optional(),
      minLength: length.optional(),
      maxLength: length.min(1).optional(),
      suggestion: optionalText,
    }),
    stored: storedBase.extend({
      type: z.literal("text"),
      /** Shown in the empty field; never sent as an answer. */
      placeholder: optionalText,
      /** The required format. */
      format: z.enum(textFormats).optional(),
      minLength: length.optional(),
      maxLength: length.optional(),
      suggestion: optionalText,
    }),
  },
  select: {
    input: choiceInput.extend({ type: z.literal("select") }),
    stored: choiceBase.extend({ type: z.literal("select") }),
  },
  "multi-select": {
    input: choiceInput.extend({
      type: z.literal("multi-select"),
      minChoices: z.int().min(0).optional(),
      maxChoices: z.int().min(1).optional(),
    }),
    stored: choiceBase.extend({
      type: z.literal("multi-select"),
      /** The minimum number of choices; Other counts as one. An optional question may still be skipped. */
      minChoices: z.int().optional(),
      /** The maximum number of choices; Other counts as one. */
      maxChoices: z.int().optional(),
    }),
  },
  confirm: {
    input: inputBase.extend({
      type: z.literal("confirm"),
      suggestion: z.union([yesOrNo, z.boolean()], { error: 'must be "yes" or "no"' }).optional(),
    }),
    stored: storedBase.extend({ type: z.literal("confirm"), suggestion: yesOrNo.optional() }),
  },
  number: {
    input: inputBase.extend({
      type: z.literal("number"),
      placeholder: optionalText,
      min: numeric.optional(),
      max: numeric.optional(),
      integer: optionalFlag,
      unit: optionalText,
      suggestion: numeric.optional(),
    }),
    stored: storedBase.extend({
      type: z.literal("number"),
      placeholder: optionalText,
      /** The minimum value. */
      min: z.number().optional(),
      /** The maximum value. */
      max: z.number().optional(),
      /** Whether to accept whole numbers only. */
      integer: optionalFlag,
      /** The unit; shown after the number, never part of it. */
      unit: optionalText,
      suggestion: optionalText,
    }),
  },
  date: { input: inputBase.extend(dateFields), stored: storedBase.extend(dateFields) },
  rating: {
    input: inputBase.extend({
      type: z.literal("rating"),
      max: numeric.optional(),
      minLabel: optionalText,
      maxLabel: optionalText,
      suggestion: numeric.optional(),
    }),
    stored: storedBase.extend({
      type: z.literal("rating"),
      /** The highest rating, 2–10; the lowest is 1. */
      max: z.int().min(ratingSteps.min).max(ratingSteps.max),
      /** The label of a rating of 1. */
      minLabel: optionalText,
      /** The label of the highest rating. */
      maxLabel: optionalText,
      suggestion: optionalText,
    }),
  },
  ranking: {
    input: choiceInput.omit(rankingOmits).extend({ type: z.literal("ranking") }),
    stored: choiceBase.omit(rankingOmits).extend({ type: z.literal("ranking") }),
  },
  approval: {
    input: inputBase.extend({
      ...approvalFields,
      /** Also accepts JSON text, as on a command line. */
      action: z.union([actionSchema, z.string()], { error: "must be an object with a kind, and what is to be allowed" }),
      /** One string may contain several, separated by commas. */
      grants: z.union([z.array(grantInput).max(10), z.string()], { error: 'must be a list of "session" and "project"' }).optional(),
      /** A model has denied the action already: a person may overrule it, which allows exactly this once, or agree. */
      denial: denialSchema.optional(),
    }),
    stored: storedBase.extend({
      ...approvalFields,
      action: actionSchema,
      /** The grants that the person may choose. */
      grants: z.array(z.object({ value: z.string(), label: z.string(), description: optionalText })).optional(),
      /** Who has denied it already; nobody waits for the decision. */
      denial: denialSchema.optional(),
    }),
  },
  /** `document` is markdown or a unified diff. */
  review: { input: inputBase.extend(reviewFields), stored: storedBase.extend(reviewFields) },
  file: {
    input: inputBase.extend({
      ...fileFields,
      /** One string may contain several, separated by commas. */
      accept: z
        .union([z.array(z.string().max(1_000)).max(20), z.string().max(1_000)], { error: "must be a list of media types" })
        .optional(),
    }),
    stored: storedBase.extend({
      ...fileFields,
      /** The media types that are accepted, such as `image/*`; any without it. */
      accept: z.array(z.string()).optional(),
    }),
  },
};

type Schemas = typeof schemas;
/** The name of a question type, such as `select`. */
export type QuestionTypeName = keyof Schemas;
/** A parsed question of one type, as an agent sent it: defaults filled in, unknown fields stripped. */
export type InputOf<Name extends QuestionTypeName> = z.output<Schemas[Name]["input"]>;
/** The same before its defaults are filled in. */
export type SentOf<Name extends QuestionTypeName> = z.input<Schemas[Name]["input"]>;
/** A parsed question of an ask: defaults filled in, unknown fields stripped. */
export type QuestionInput = InputOf<QuestionTypeName>;
/** A stored question of one type: `QuestionOf<"select">`. */
export type QuestionOf<Name extends QuestionTypeName> = z.output<Schemas[Name]["stored"]>;

const unknownSchema = storedBase.extend({
  type: z.literal("unknown"),
  /** The question exactly as the newer askbox wrote it, preserved for versions that know it. */
  original: z.looseObject({ type: z.string() }),
});
/** A question of a type that this version does not know. It can be shown and declined, not answered. */
export type UnknownQuestion = z.infer<typeof unknownSchema>;
/** A question of a session, with its defaults filled in, or one of a type that this version does not know. */
export type Question = QuestionOf<QuestionTypeName> | UnknownQuestion;

type Inputs = Schemas[QuestionTypeName]["input"];
/** A question as an agent sends it: the `ask_user` contract's `QuestionInfo` and askbox's own fields. The default type is text. */
export const questionInputSchema = z.discriminatedUnion("type", Object.values(schemas).map(({ input }) => input) as [Inputs, ...Inputs[]]);

/** The fields that an agent may send for each type. */
export const questionFields: Readonly<Record<QuestionTypeName, readonly string[]>> = /* @__PURE__ */ (() =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(schemas).map(([name, { input }]) => [name, Object.freeze(Object.keys(input.shape))]),
    ) as unknown as Record<QuestionTypeName, readonly string[]>,
  ))();

type Stored = Schemas[QuestionTypeName]["stored"] | typeof unknownSchema;
/**
 * A stored question. One of a type that only a newer askbox knows is read as `unknown`, without losing anything. The type has a name, so
 * that types derived from it do not spell out all questions.
 */
export const questionSchema: z.ZodType<Question> = /* @__PURE__ */ (() => {
  const stored = [unknownSchema, ...Object.values(schemas).map((one) => one.stored)] as [Stored, ...Stored[]];
  return z.preprocess(knownOrWrapped, z.discriminatedUnion("type", stored));
})();

const isKnown = (type: string) => Object.hasOwn(schemas, type);

/**
 * Converts a stored question to a form that this version can read: an unknown one is wrapped, and one that an older version had to wrap is
 * unwrapped if its type is known now. Invalid questions are left for the schema to reject.
 */
function knownOrWrapped(stored: unknown): unknown {
  const wrapped = unknownSchema.safeParse(stored);
  if (wrapped.success && !isKnown(wrapped.data.original.type)) return stored;
  const question = wrapped.success ? wrapped.data.original : stored;
  if (typeof question !== "object" || question === null || !("type" in question) || typeof question.type !== "string") return question;
  if (isKnown(question.type)) return question;
  const { id, question: text, required, header } = question as Record<string, unknown>;
  return { id, question: text, required, ...defined({ header }), type: "unknown", original: question };
}
