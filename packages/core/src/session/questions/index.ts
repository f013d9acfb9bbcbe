import { z } from "zod";
import type { Answer, AnswerIssue } from "../answer.ts";
import type { QuestionInput } from "../ask-input.ts";
import { type ConfirmQuestion, confirm } from "./confirm.ts";
import { type MultiSelectQuestion, multiSelect } from "./multi-select.ts";
import { isSkipped, type QuestionBase, type QuestionType } from "./question-type.ts";
import { type SelectQuestion, select } from "./select.ts";
import { type TextQuestion, text } from "./text.ts";

export type Question = TextQuestion | SelectQuestion | MultiSelectQuestion | ConfirmQuestion;
export type QuestionTypeName = Question["type"];

type Erased = QuestionType<string, QuestionBase & { type: string }>;

const types: Record<QuestionTypeName, Erased> = {
  text: text as unknown as Erased,
  select: select as unknown as Erased,
  "multi-select": multiSelect as unknown as Erased,
  confirm: confirm as unknown as Erased,
};

/** The names of all question types, in the contract's order. */
export const questionTypes = Object.freeze(Object.keys(types)) as readonly QuestionTypeName[];

/** A question as it is stored. */
export const questionSchema = z.union([text.schema, select.schema, multiSelect.schema, confirm.schema]) as z.ZodType<Question>;

/** Reads one question of an ask. Throws `QuestionRefusal` when it cannot be asked. */
export function parseQuestion(input: QuestionInput, id: string): Question {
  return types[input.type].parse(input, id) as Question;
}

/** The answer as a person would read it; empty when the question was skipped. */
export function answerText(question: Question, answer: Answer): string {
  return types[question.type].text(question, answer);
}

/** What is wrong with one answer, as a sentence; nothing when it is valid. */
export function checkAnswer(question: Question, answer: Answer): string | undefined {
  return types[question.type].check(question, answer);
}

export type CheckedAnswers = { ok: true; answers: Answer[] } | { ok: false; issues: AnswerIssue[] };

/**
 * Checks what a person sent against the questions. When all is valid, the result holds one answer for each
 * question, in the questions' order; an optional question that was left out is answered with `values: []`.
 */
export function checkAnswers(questions: readonly Question[], given: readonly Answer[]): CheckedAnswers {
  const issues: AnswerIssue[] = [];
  const byId = new Map<string, Answer>();
  const known = new Set(questions.map((question) => question.id));
  for (const answer of given) {
    const questionId = answer.questionId;
    if (!known.has(questionId)) issues.push({ questionId, message: "No question of this session has this id." });
    else if (byId.has(questionId)) issues.push({ questionId, message: "This question is answered twice." });
    byId.set(questionId, answer);
  }
  const answers = questions.map((question): Answer => {
    const answer = byId.get(question.id) ?? { questionId: question.id, values: [] };
    const message = checkAnswer(question, answer);
    if (message !== undefined) issues.push({ questionId: question.id, message });
    return { ...answer, values: [...answer.values] };
  });
  return issues.length === 0 ? { ok: true, answers } : { ok: false, issues };
}

export type { ChoiceQuestion, Option } from "./options.ts";
export { QuestionRefusal } from "./question-type.ts";
export type { ConfirmQuestion, MultiSelectQuestion, SelectQuestion, TextQuestion };
/** Whether the answer skips its question. */
export { isSkipped };
