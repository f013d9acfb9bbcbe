import type { Answer, DraftField, Question, QuestionOf } from "@askbox/core";
import {
  type AnswerFile,
  type AnswerProblem,
  answerProblem,
  changedInput,
  checkAnswer,
  inputProblem,
  isSkipped,
  isTyped,
  moveDate,
} from "@askbox/core/questions";

/** A person's input for one question so far. */
export interface Field {
  /** Selected values; for a question with a typed answer, the text as typed. */
  values: readonly string[];
  /** Whether Other is chosen. */
  other: boolean;
  /** The text of Other; kept while Other is not selected. */
  otherText: string;
  note: string;
  skipped: boolean;
  /** What is attached to the answer, uploaded already; never empty. */
  files?: readonly AnswerFile[] | undefined;
  /** Comments on the lines of its document; never empty. */
  comments?: readonly Comment[] | undefined;
  /** The arguments with which an action is to be allowed, as JSON as far as typed; the agent's own without it. */
  input?: string | undefined;
}

/** An empty field. */
export const emptyField: Field = Object.freeze({ values: [], other: false, otherText: "", note: "", skipped: false });

type Comment = NonNullable<Answer["comments"]>[number];

const filesOf = ({ files, comments }: Field) => ({
  ...(files && { files: files as AnswerFile[] }),
  ...(comments && { comments: comments as Comment[] }),
});

/** The field as an answer, without blank notes and texts. */
export function answerOf(question: Question, field: Field): Answer {
  const base = { questionId: question.id, ...(field.note.trim() && { note: field.note }), ...filesOf(field) };
  if (field.skipped) return { ...base, values: [] };
  if (isTyped(question)) return { ...base, values: field.values.filter((text) => text.trim() !== "") };
  const changed = changedInput(question, field);
  // Nothing is allowed whose arguments can't be read.
  return { ...base, values: changed ? [...field.values] : [], ...changed, ...(field.other && { customText: field.otherText }) };
}

/** What is wrong with the field; undefined if it can be sent. */
export function errorOf(question: Question, field: Field): AnswerProblem | undefined {
  return inputProblem(question, field) ?? answerProblem(question, answerOf(question, field));
}

/** Whether the field has content: an answer, or a deliberate skip. */
export function isAnswered(question: Question, field: Field): boolean {
  const answer = answerOf(question, field);
  return field.skipped || ((!isSkipped(answer) || answer.files !== undefined) && errorOf(question, field) === undefined);
}

/** The field for an earlier answer. */
export function fieldOfAnswer({ values, customText, note }: Pick<Answer, "values" | "customText" | "note">): Field {
  return fieldOfDraft({ values, customText, note });
}

/** The field that a draft keeps; the opposite of `draftOfField`. */
export function fieldOfDraft(draft: DraftField | undefined, local: Field = emptyField): Field {
  const { values = [], customText, note = "", skipped = false, files, comments, input } = draft ?? {};
  // Another device does not know the text of an unselected Other.
  const otherText = customText ?? (local.other ? "" : local.otherText);
  return { values, other: customText !== undefined, otherText, note, skipped, files, comments, input };
}

/** The field as stored in a draft; null if it is empty. */
export function draftOfField(field: Field): DraftField | null {
  const { values, other, otherText, note, skipped, input } = field;
  const draft: DraftField = {
    ...(values[0] !== undefined && { values: [...values] }),
    ...(other && { customText: otherText }),
    ...(note && { note }),
    ...(skipped && { skipped }),
    ...(input !== undefined && { input }),
    ...filesOf(field),
  };
  return Object.keys(draft).length === 0 ? null : draft;
}

export const sameField = (a: Field, b: Field): boolean => textOf(a) === textOf(b);

const textOf = (field: Field) => JSON.stringify([field.otherText, draftOfField(field)]);

/**
 * The start date for stepping through days: the entered date, else (`isStart`) today, clamped to the question's limits. Undefined if there
 * is other text, which must not be lost.
 */
export function dateToStepFrom(
  { min, max }: QuestionOf<"date">,
  written: string,
  today: string,
): { date: string; isStart: boolean } | undefined {
  if (written.trim() === "")
    return { date: min !== undefined && today < min ? min : max !== undefined && today > max ? max : today, isStart: true };
  const any: QuestionOf<"date"> = { id: "", type: "date", question: "", required: true };
  const isDate = checkAnswer(any, { questionId: "", values: [written] }) === undefined;
  return isDate ? { date: moveDate(written.trim(), {}), isStart: false } : undefined;
}
