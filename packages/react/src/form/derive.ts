import type { Question, SessionView } from "@askbox/core";
import type { AnswerProblem } from "@askbox/core/questions";
import { emptyField, errorOf, type Field, isAnswered } from "./field.ts";
import type { FormProgress } from "./form-state.ts";

type Fields = Readonly<Record<string, Field>>;

/** The errors of the questions in `touched`. */
export function errorsOf({ questions }: SessionView, fields: Fields, touched: ReadonlySet<string>): Record<string, AnswerProblem> {
  // Without a prototype: an agent may name a question "constructor", which must not be found if there is no error.
  const errors = Object.create(null) as Record<string, AnswerProblem>;
  for (const question of questions) {
    const error = touched.has(question.id) ? errorOf(question, fields[question.id] ?? emptyField) : undefined;
    if (error !== undefined) errors[question.id] = error;
  }
  return errors;
}

/** The index of the first question that prevents sending; -1 if none does. */
export const firstErrorOf = ({ questions }: SessionView, fields: Fields): number =>
  questions.findIndex((question) => errorOf(question, fields[question.id] ?? emptyField) !== undefined);

export function progressOf({ questions }: SessionView, fields: Fields): FormProgress {
  const count = (holds: (question: Question, field: Field) => boolean) =>
    questions.filter((question) => holds(question, fields[question.id] ?? emptyField)).length;
  return {
    total: questions.length,
    answered: count(isAnswered),
    missing: count((question, field) => errorOf(question, field) !== undefined),
  };
}
