import type { Question } from "@askbox/core";
import { offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import { emptyField, type FieldEdit, type FormState } from "@askbox/inbox";
import { optionOfKey } from "@askbox/inbox/commands";

/** A digit pressed with Shift, `shift+1`, whatever character that types; undefined if Shift types the digit itself. */
export const shiftedDigit = ({ shiftKey, ctrlKey, metaKey, altKey, key, code }: KeyboardEvent): string | undefined =>
  shiftKey && !ctrlKey && !metaKey && !altKey && !/^\d$/.test(key) && /^Digit\d$/.test(code) ? `shift+${code.at(-1)}` : undefined;

/** What a digit picks, and the index of its option; Other comes after the agent's options. */
export function pickOfDigit({ fields }: FormState, question: Question, key: string): { edit: FieldEdit; index: number } | undefined {
  const { picks } = traitsOf(question);
  // A rank is given to the focused option, which the widget does. A digit never decides an approval.
  if (picks === "order" || picks === "decision") return undefined;
  const options = offeredOptions(question);
  const count = options.length + (takesOther(question) ? 1 : 0);
  const index = optionOfKey(key, count, "shift");
  if (index === undefined) return undefined;
  const option = options[index];
  if (option !== undefined) return { index, edit: { kind: "choose", value: option.value } };
  return { index, edit: { kind: "other", other: picks === "one" || !(fields[question.id] ?? emptyField).other } };
}
