import * as z from "zod";
import { quote } from "../../quote.ts";
import { isCalendarDate } from "./calendar.ts";
import {
  type AnswerProblem,
  baseOf,
  defined,
  problem,
  QuestionRefusal,
  type QuestionType,
  questionBase,
  questionInputBase,
  rangeText,
} from "./question-type.ts";
import { checkSingle, refuseEmptyRange, singleText, suggestionOf, tidySingle } from "./single-value.ts";

const input = questionInputBase.extend({
  type: z.literal("date"),
  min: z.string().optional(),
  max: z.string().optional(),
  suggestion: z.string().optional(),
});

const schema = questionBase.extend({
  type: z.literal("date"),
  /** The earliest valid day, `YYYY-MM-DD`. */
  min: z.string().optional(),
  /** The latest valid day, `YYYY-MM-DD`. */
  max: z.string().optional(),
  /** The agent's suggestion; the person can accept it, and it is never filled in automatically. */
  suggestion: z.string().optional(),
});
export type DateQuestion = z.infer<typeof schema>;

/** A calendar day without time or zone: one value, `YYYY-MM-DD`. */
export const date = {
  type: "date",
  typed: "value",
  widget: () => "date",
  formField: () => ({ type: "string", format: "date" }),
  metavar: () => "YYYY-MM-DD",
  input,
  schema,
  parse({ min, max, suggestion, ...rest }, id) {
    refuseNoDate("min", min);
    refuseNoDate("max", max);
    refuseEmptyRange(min, max);
    const limits = defined({ min, max });
    const proposed = suggestionOf(suggestion?.trim(), (value) => checkDate(limits, value));
    return { ...baseOf(rest, id), type: "date", ...limits, ...defined({ suggestion: proposed }) };
  },
  tidy: (_question, answer) => tidySingle(answer, (value) => value.trim()),
  check: (question, answer) => checkSingle(question, answer, "date", (value) => checkDate(question, value)),
  text: (_question, answer) => singleText(answer),
  expects: ({ min, max }) => `a date, YYYY-MM-DD${rangeText(min, max)}`,
} satisfies QuestionType<"date", z.infer<typeof input>, DateQuestion>;

function checkDate({ min, max }: Pick<DateQuestion, "min" | "max">, value: string): AnswerProblem | undefined {
  if (!isCalendarDate(value)) return problem("not_a_date", "Enter a date as YYYY-MM-DD, such as 2026-03-05.");
  // In this form, dates sort like strings.
  if (min !== undefined && value < min) return problem("too_early", `The date must be ${min} or later.`, min);
  if (max !== undefined && value > max) return problem("too_late", `The date must be ${max} or earlier.`, max);
  return undefined;
}

function refuseNoDate(name: "min" | "max", limit: string | undefined): void {
  if (limit !== undefined && !isCalendarDate(limit))
    throw new QuestionRefusal(`has a ${name} that is not a date YYYY-MM-DD: ${quote(limit)}`);
}
