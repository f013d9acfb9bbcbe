import type { QuestionOf } from "@askbox/core";
import { checkAnswer, moveDate } from "@askbox/core/questions";

/**
 * The start date for stepping through days: the entered date, else (`isStart`) today, clamped to the question's limits. Undefined if there
 * is other text, which must not be lost.
 */
export function dateToStepFrom(
  { min, max }: QuestionOf<"date">,
  written: string,
  today: string,
): { date: string; isStart: boolean } | undefined {
  if (written.trim() === "")
    return { date: min !== undefined && today < min ? min : max !== undefined && today > max ? max : today, isStart: true };
  const any: QuestionOf<"date"> = { id: "", type: "date", question: "", required: true };
  const isDate = checkAnswer(any, { questionId: "", values: [written] }) === undefined;
  return isDate ? { date: moveDate(written.trim(), {}), isStart: false } : undefined;
}
