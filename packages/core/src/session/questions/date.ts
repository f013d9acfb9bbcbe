import { defined } from "../../defined.ts";
import { quote } from "../../quote.ts";
import { isCalendarDate } from "./calendar.ts";
import { type AnswerProblem, type AskedType, baseOf, problem, QuestionRefusal, rangeText } from "./question-type.ts";
import type { QuestionOf } from "./schemas.ts";
import { checkSingle, refuseEmptyRange, singleText, suggestionOf, tidySingle } from "./single-value.ts";

/** A calendar day without time or zone: one value, `YYYY-MM-DD`. */
export const date = {
  type: "date",
  typed: "value",
  widget: () => "date",
  formField: () => ({ type: "string", format: "date" }),
  metavar: () => "YYYY-MM-DD",
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
} satisfies AskedType<"date">;

function checkDate({ min, max }: Pick<QuestionOf<"date">, "min" | "max">, value: string): AnswerProblem | undefined {
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
