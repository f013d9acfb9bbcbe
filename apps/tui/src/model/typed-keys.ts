import type { QuestionOf } from "@askbox/core";
import { moveDate, type TypedQuestion, traitsOf } from "@askbox/core/questions";
import { dateToStepFrom } from "@askbox/inbox";
import { replaceAll, type TextBuffer } from "../editor/text-buffer.ts";

// keys: keys of a keyboard.
const dateSteps: Readonly<Record<string, { days?: number; months?: number }>> = {
  up: { days: 1 },
  down: { days: -1 },
  "shift+up": { months: 1 },
  "shift+down": { months: -1 },
};

export const isDate = (question: TypedQuestion): question is QuestionOf<"date"> => traitsOf(question).widget === "date";

/** Whether the answer is a single line, so that Enter ends it and line breaks are not allowed. */
export function isOneLine(question: TypedQuestion): boolean {
  return traitsOf(question).widget !== "lines";
}

/** Steps through days and months in a date. Undefined if the key does neither, or the text is not a date. */
export function dateStep(question: TypedQuestion, key: string, buffer: TextBuffer, now: number): TextBuffer | undefined {
  const by = dateSteps[key];
  if (!isDate(question) || by === undefined) return undefined;
  const from = dateToStepFrom(question, buffer.text, localDate(now));
  if (from === undefined) return undefined;
  return replaceAll(buffer, from.isStart ? from.date : moveDate(from.date, by));
}

/** Today in the local time zone. */
function localDate(now: number): string {
  const at = new Date(now);
  const [year, month, day] = [at.getFullYear(), at.getMonth() + 1, at.getDate()];
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
