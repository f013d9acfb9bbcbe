import type { Question } from "@askbox/core";
import { offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import type { AnswerForm } from "@askbox/react";
import { optionOfDigit } from "@askbox/react/keymap";

/** Picks the option for a digit; Other comes after the agent's options. Returns its index; undefined if there is none. */
export function chooseByDigit(form: AnswerForm, question: Question, key: string): number | undefined {
  const { picks } = traitsOf(question);
  // A rank is given to the focused option, which the widget does. A digit never decides an approval.
  if (picks === "order" || picks === "decision") return undefined;
  const options = offeredOptions(question);
  const index = optionOfDigit(key, options.length + (takesOther(question) ? 1 : 0));
  if (index === undefined) return undefined;
  const option = options[index];
  if (option !== undefined) form.choose(question.id, option.value);
  else form.setOther(question.id, traitsOf(question).picks === "one" || form.getState().fields[question.id]?.other !== true);
  return index;
}
