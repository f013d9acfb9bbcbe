/** What all widgets share: their props, the expected answer in words, and the keys that pick and go on. */
import type { Question } from "@askbox/core";
import { type AnswerProblem, bytesText, offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import { type AnswerForm, emptyField, type Field, type FieldEdit, type FormState } from "@askbox/inbox";
import { optionOfKey } from "@askbox/inbox/commands";
import type { KeyboardEvent as ReactKeyboardEvent } from "react";
import type { Translate } from "../i18n/translate.ts";
import { placeOf } from "../ui/focus-place.ts";
import { isComposing } from "../ui/keyboard.ts";

/** The props of every widget: it renders one question's field and reports input to the form. */
export interface WidgetProps<Of extends Question = Question> {
  question: Of;
  field: Field;
  form: AnswerForm;
  error: AnswerProblem | undefined;
  /** The id of the element with the question's text. */
  labelId: string;
  /** The id of the element with the error. */
  errorId: string;
  /** The id of the element with the expected answer; undefined if there is none. */
  hintId: string | undefined;
}

/** The elements that describe a control, for `aria-describedby`. */
export function describedBy(...ids: (string | undefined)[]): string | undefined {
  const present = ids.filter((id) => id !== undefined);
  return present.length === 0 ? undefined : present.join(" ");
}

/** The limits of all types under common names. */
interface Limits {
  min?: number | string;
  max?: number | string;
  minChoices?: number;
  maxChoices?: number;
  accept?: readonly string[];
  maxFiles?: number;
  maxBytes?: number;
}

/** The expected answer with its limits; undefined if the widget shows it. */
export function sayExpected(t: Translate, question: Question): string | undefined {
  const { formField, picks, widget } = traitsOf(question);
  const { min, max, minChoices, maxChoices, accept, maxFiles, maxBytes } = question as Limits;
  if (widget === "files") {
    const parts = [
      accept?.map((type) => (type === "image/*" ? t("expect.files.pictures") : type)).join(", "),
      maxFiles && t("expect.files.most", { count: maxFiles }),
      maxBytes && t("expect.files.size", { size: bytesText(maxBytes) }),
    ];
    return parts.filter(Boolean).join(" · ") || t("expect.files");
  }
  if (widget === "date") {
    if (min === undefined) return max === undefined ? t("expect.date") : t("expect.date.to", { max });
    return max === undefined ? t("expect.date.from", { min }) : t("expect.date.range", { min, max });
  }
  // Its ends are named below it.
  if (widget === "scale") return undefined;
  if (formField?.type === "string") {
    const { format, minLength, maxLength } = formField;
    const parts = [format === undefined ? "" : t(`expect.${format}`), between(t, "expect.length", minLength, maxLength)];
    return parts.filter((part) => part !== "").join(" · ") || undefined;
  }
  if (formField !== undefined) return within(t, t(`expect.${formField.type}`), min, max);
  if (picks === "many") return between(t, "expect.choices", minChoices, maxChoices) || t("question.many");
  if (picks === "order") return t("expect.order");
  return undefined;
}

function within(t: Translate, what: string, min: number | string | undefined, max: number | string | undefined): string {
  if (min === undefined) return max === undefined ? what : t("expect.to", { what, max });
  return max === undefined ? t("expect.from", { what, min }) : t("expect.range", { what, min, max });
}

function between(t: Translate, of: "expect.length" | "expect.choices", min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? "" : t(`${of}.most`, { count: max });
  if (max === undefined) return t(`${of}.least`, { count: min });
  return min === max ? t(`${of}.exactly`, { count: min }) : t(`${of}.range`, { min, max });
}

/** Enter in a text field of an answer: continues, and finally sends, but never an empty field; with Shift it adds a line. */
export function onEnter(event: ReactKeyboardEvent<HTMLTextAreaElement | HTMLInputElement>): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey, currentTarget } = event;
  if (key !== "Enter" || shiftKey || ctrlKey || metaKey || altKey || isComposing(event)) return;
  const isLine = placeOf(currentTarget) === "line";
  if (isLine || currentTarget instanceof HTMLInputElement) event.preventDefault();
  if (isLine) currentTarget.form?.requestSubmit();
}

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
