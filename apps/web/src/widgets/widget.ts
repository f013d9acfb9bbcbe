import type { Question } from "@askbox/core";
import type { AnswerProblem } from "@askbox/core/questions";
import type { AnswerForm, Field } from "@askbox/react";

/** What every widget is given: it draws one question's field and tells the form what the person does. */
export interface WidgetProps<Of extends Question = Question> {
  question: Of;
  field: Field;
  form: AnswerForm;
  error: AnswerProblem | undefined;
  /** The id of the element that holds the question's text. */
  labelId: string;
  /** The id of the element that says what is wrong. */
  errorId: string;
  /** The id of the element that says what is expected; undefined where there is none. */
  hintId: string | undefined;
}

/** The elements that describe a control, for `aria-describedby`. */
export function describedBy(...ids: (string | undefined)[]): string | undefined {
  const present = ids.filter((id) => id !== undefined);
  return present.length === 0 ? undefined : present.join(" ");
}
