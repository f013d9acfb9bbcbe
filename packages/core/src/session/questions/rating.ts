import { defined } from "../../objects.ts";
import { quote } from "../../texts.ts";
import { ratingSteps } from "./constants.ts";
import { type AnswerProblem, type AskedType, baseOf, type OfferedOption, problem, QuestionRefusal } from "./question-type.ts";
import { checkSingle, singleText, suggestionOf, tidySingle } from "./single-value.ts";

/** One step of a scale from 1 to `max`: one value, such as `4`. */
export const rating = {
  type: "rating",
  picks: "one",
  widget: () => "scale",
  formField: ({ max }) => ({ type: "integer", minimum: 1, maximum: max }),
  metavar: () => "RATING",
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
} satisfies AskedType<"rating">;

function maxOf(sent: number | string = ratingSteps.default): number {
  const max = typeof sent === "string" && sent.trim() !== "" ? Number(sent) : sent;
  if (typeof max === "number" && Number.isInteger(max) && max >= ratingSteps.min && max <= ratingSteps.max) return max;
  throw new QuestionRefusal(`has a max that is not a whole number from ${ratingSteps.min} to ${ratingSteps.max}: ${quote(sent)}`);
}

function checkRating(max: number, value: string): AnswerProblem | undefined {
  if (/^[1-9]\d?$/.test(value) && Number(value) <= max) return undefined;
  return problem("not_a_rating", `Rate with a whole number from 1 to ${max}.`, max);
}

const withLabel = (step: number, label: string | undefined): string => (label === undefined ? String(step) : `${step} (${label})`);
