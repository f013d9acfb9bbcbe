import type { Question } from "@askbox/core";
import { isTyped, type TypedQuestion, takesOther } from "@askbox/core/questions";
import { emptyField, type Field, type FormState, optionsInOrder } from "@askbox/react";
import type { EditTarget } from "./ui-state.ts";

/** What the form's cursor can stand on. */
export type Item =
  | { kind: "option"; value: string; label: string; index: number }
  | { kind: "other" }
  | { kind: "text" }
  | { kind: "note" }
  | { kind: "answer"; step: number }
  | { kind: "comment" }
  | { kind: "send" };

/** The question of the present step; undefined on the review. */
export function questionOf({ session, step }: FormState): Question | undefined {
  return session.questions[step];
}

export const fieldOf = ({ fields }: FormState, question: Question): Field => fields[question.id] ?? emptyField;

/** The present step's items, in the order of the screen. `typing` is what is being typed, which may have no text yet. */
export function itemsOf(state: FormState, typing?: EditTarget["kind"]): Item[] {
  const question = questionOf(state);
  const comment: Item[] = state.comment !== "" || typing === "comment" ? [{ kind: "comment" }] : [];
  if (question === undefined) {
    const answers = state.session.questions.map((_, step): Item => ({ kind: "answer", step }));
    return [...answers, ...comment, { kind: "send" }];
  }
  const note: Item[] = fieldOf(state, question).note !== "" || typing === "note" ? [{ kind: "note" }] : [];
  return [...ownItems(question, fieldOf(state, question)), ...note, ...(state.steps === 1 ? comment : [])];
}

function ownItems(question: Question, field: Field): Item[] {
  if (isTyped(question)) return [{ kind: "text" }];
  const options = optionsInOrder(question, field).map(({ value, label }, index): Item => ({ kind: "option", value, label, index }));
  return takesOther(question) ? [...options, { kind: "other" }] : options;
}

/** The question whose answer is being typed, if the text that is edited is one. */
export function typedQuestion(state: FormState | undefined, target: EditTarget | undefined): TypedQuestion | undefined {
  if (target?.kind !== "text") return undefined;
  const question = state?.session.questions.find(({ id }) => id === target.questionId);
  return question !== undefined && isTyped(question) ? question : undefined;
}
