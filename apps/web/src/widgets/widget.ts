/** What all widgets share. */
import type { Question } from "@askbox/core";
import type { AnswerProblem } from "@askbox/core/questions";
import type { AnswerForm, Field } from "@askbox/inbox";
import type { KeyboardEvent } from "react";
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

/** Enter in a text field of an answer: continues, and finally sends, but never an empty field; with Shift it adds a line. */
export function onEnter(event: KeyboardEvent<HTMLTextAreaElement | HTMLInputElement>): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey, currentTarget } = event;
  if (key !== "Enter" || shiftKey || ctrlKey || metaKey || altKey || isComposing(event)) return;
  const isLine = placeOf(currentTarget) === "line";
  if (isLine || currentTarget instanceof HTMLInputElement) event.preventDefault();
  if (isLine) currentTarget.form?.requestSubmit();
}
