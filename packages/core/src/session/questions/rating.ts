import * as z from "zod";
import { quote } from "../../quote.ts";
import {
  type AnswerProblem,
  baseOf,
  defined,
  type OfferedOption,
  problem,
  QuestionRefusal,
  type QuestionType,
  questionBase,
  questionInputBase,
} from "./question-type.ts";
import { checkSingle, singleText, suggestionOf, tidySingle } from "./single-value.ts";

/** The number of steps that a scale may have: each has a key, with `0` for the tenth. */
const steps = { min: 2, max: 10, default: 5 } as const;

/** Agents send numbers as strings, too. */
const stepInput = z.union([z.number(), z.string()], { error: "must be a number" });

const input = questionInputBase.extend({
  type: z.literal("rating"),
  max: stepInput.optional(),
  minLabel: z.string().optional(),
  maxLabel: z.string().optional(),
  suggestion: stepInput.optional(),
});

const schema = questionBase.extend({
  type: z.literal("rating"),
  /** The highest rating, 2–10; the lowest is 1. */
  max: z.int().min(steps.min).max(steps.max),
  /** The label of a rating of 1. */
  minLabel: z.string().optional(),
  /** The label of the highest rating. */
  maxLabel: z.string().optional(),
  /** The agent's suggestion. Shown, never preselected. */
  suggestion: z.string().optional(),
});
export type RatingQuestion = z.infer<typeof schema>;

/** One step of a scale from 1 to `max`: one value, such as `4`. */
export const rating = {
  type: "rating",
  picks: "one",
  widget: () => "scale",
  formField: ({ max }) => ({ type: "integer", minimum: 1, maximum: max }),
  metavar: () => "RATING",
  input,
  schema,
  parse({ max: sent, minLabel, maxLabel, suggestion, ...rest }, id) {
    const max = maxOf(sent);
    const proposed = suggestionOf(suggestion === undefined ? undefined : String(suggestion).trim(), (value) => checkRating(max, value));
    return { ...baseOf(rest, id), type: "rating", max, ...defined({ minLabel, maxLabel, suggestion: proposed }) };
  },
  tidy: (_question, answer) => tidySingle(answer, (value) => value.trim()),
  check: (question, answer) => checkSingle(question, answer, "rating", (value) => checkRating(question.max, value)),
  text: (_question, answer) => singleText(answer),
  expects: ({ max, minLabel, maxLabel }) => `a rating from ${withLabel(1, minLabel)} to ${withLabel(max, maxLabel)}`,
  offers: ({ max, minLabel, maxLabel, suggestion }) =>
    Array.from({ length: max }, (_, index): OfferedOption => {
      const value = String(index + 1);
      const description = index === 0 ? minLabel : index === max - 1 ? maxLabel : undefined;
      return { value, label: value, ...defined({ description, recommended: suggestion === value ? true : undefined }) };
    }),
} satisfies QuestionType<"rating", z.infer<typeof input>, RatingQuestion>;

function maxOf(sent: number | string = steps.default): number {
  const max = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
  if (typeof max === "number" && Number.isInteger(max) && max >= steps.min && max <= steps.max) return max;
  throw new QuestionRefusal(`has a max that is not a whole number from ${steps.min} to ${steps.max}: ${quote(sent)}`);
}

function checkRating(max: number, value: string): AnswerProblem | undefined {
  if (/^[1-9]\d?$/.test(value) && Number(value) <= max) return undefined;
  return problem("not_a_rating", `Rate with a whole number from 1 to ${max}.`, max);
}

const withLabel = (step: number, label: string | undefined): string => (label === undefined ? String(step) : `${step} (${label})`);
