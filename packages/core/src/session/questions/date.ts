import { defined } from "../../objects.ts";
import { quote } from "../../texts.ts";
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

const shape = /^(\d{4})-(\d{2})-(\d{2})$/;
const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

interface CalendarDay {
  year: number;
  month: number;
  day: number;
}

/** Whether the text is a day of the Gregorian calendar in the form `YYYY-MM-DD`, from year 1 to 9999. */
export const isCalendarDate = (text: string): boolean => read(text) !== undefined;

/**
 * The date some days, months or years later or earlier; the last day of a shorter month. Stays within the years 1 to 9999. Returns an
 * invalid date unchanged.
 */
export function moveDate(date: string, by: { days?: number; months?: number; years?: number }): string {
  const from = read(date);
  if (from === undefined) return date;
  const months = from.year * 12 + (from.month - 1) + (by.years ?? 0) * 12 + (by.months ?? 0);
  const year = Math.floor(months / 12);
  const month = (months % 12) + 1;
  if (year < 1) return "0001-01-01";
  if (year > 9999) return "9999-12-31";
  return moveDays({ year, month, day: Math.min(from.day, monthLength(year, month)) }, by.days ?? 0);
}

/** Month by month: at most 120,000 steps, since the years are limited. */
function moveDays({ year, month, day }: CalendarDay, days: number): string {
  let [y, m, d] = [year, month, day + days];
  while (d < 1) {
    [y, m] = m === 1 ? [y - 1, 12] : [y, m - 1];
    if (y < 1) return "0001-01-01";
    d += monthLength(y, m);
  }
  while (d > monthLength(y, m)) {
    d -= monthLength(y, m);
    [y, m] = m === 12 ? [y + 1, 1] : [y, m + 1];
    if (y > 9999) return "9999-12-31";
  }
  return written({ year: y, month: m, day: d });
}

function read(text: string): CalendarDay | undefined {
  const [, year, month, day] = (shape.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const exists = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= monthLength(year, month);
  return exists ? { year, month, day } : undefined;
}

function monthLength(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && isLeap ? 29 : (monthLengths[month - 1] ?? 0);
}

function written({ year, month, day }: CalendarDay): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
