import type { Question } from "@askbox/core";
import type { AnswerForm, Field, FieldError } from "@askbox/react";

/** What every widget is given: it draws one question's field and tells the form what the person does. */
export interface WidgetProps<Of extends Question = Question> {
  question: Of;
  field: Field;
  form: AnswerForm;
  error: FieldError | undefined;
  /** The id of the element that holds the question's text. */
  labelId: string;
  /** The id of the element that says what is wrong. */
  errorId: string;
}
