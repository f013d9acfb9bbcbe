import type { Question } from "@askbox/core";
import type { AnswerProblem } from "@askbox/core/questions";
import type { AnswerForm, Field } from "@askbox/inbox";

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
