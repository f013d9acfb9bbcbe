import { offeredOptions, type Question } from "@askbox/core";
import { type AnswerForm, optionOfDigit } from "@askbox/react";

/** Chooses the option that a digit stands for; Other comes after the agent's options. False when there is none. */
export function chooseByDigit(form: AnswerForm, question: Question, key: string): boolean {
  const options = offeredOptions(question);
  const takesOther = "allowOther" in question && question.allowOther;
  const index = optionOfDigit(key, options.length + (takesOther ? 1 : 0));
  if (index === undefined) return false;
  const option = options[index];
  if (option !== undefined) form.choose(question.id, option.value);
  else form.setOther(question.id, question.type === "select" || form.getState().fields[question.id]?.other !== true);
  return true;
}
