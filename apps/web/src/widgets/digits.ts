import type { Question } from "@askbox/core";
import { type AnswerForm, optionOfDigit } from "@askbox/react";
import { confirmValues } from "./confirm-widget.tsx";

/** Chooses the option that a digit stands for; Other comes after the agent's options. False when there is none. */
export function chooseByDigit(form: AnswerForm, question: Question, key: string): boolean {
  if (question.type === "text") return false;
  const values = question.type === "confirm" ? confirmValues : question.options.map((option) => option.value);
  const takesOther = question.type !== "confirm" && question.allowOther;
  const index = optionOfDigit(key, values.length + (takesOther ? 1 : 0));
  if (index === undefined) return false;
  const value = values[index];
  if (value !== undefined) form.choose(question.id, value);
  else form.setOther(question.id, question.type === "select" || form.getState().fields[question.id]?.other !== true);
  return true;
}
