import type { Answer } from "../answer.ts";
import { type AnswerIssue, type AnswerProblem, isSkipped, problem } from "./question-type.ts";
import type { Question } from "./schemas.ts";
import { typeOf } from "./types.ts";

/** The answer in normalized form: canonical numbers, and trimmed texts if they have a format. */
export function tidyAnswer(question: Question, answer: Answer): Answer {
  return typeOf(question).tidy?.(question, answer) ?? answer;
}

/** What is wrong with one answer, with a code for surfaces with their own wording; undefined if it is valid. */
export function answerProblem(question: Question, answer: Answer): AnswerProblem | undefined {
  return checkTidied(question, tidyAnswer(question, answer));
}

function checkTidied(question: Question, answer: Answer): AnswerProblem | undefined {
  if (answer.input !== undefined && !("action" in question)) return problem("shape", "This question takes no arguments.");
  const { typed, check } = typeOf(question);
  // A picture says it.
  if (typed === "words" && answer.files?.length && isSkipped(answer)) return undefined;
  return check(question, answer);
}

/** What is wrong with one answer, as a sentence; undefined if it is valid. */
export function checkAnswer(question: Question, answer: Answer): string | undefined {
  return answerProblem(question, answer)?.message;
}

export type CheckedAnswers = { ok: true; answers: Answer[] } | { ok: false; issues: AnswerIssue[] };

/**
 * Validates a person's answers. If all are valid, the result has one normalized answer per question, in order; an optional question that
 * was omitted is answered with `values: []`.
 */
export function checkAnswers(questions: readonly Question[], sent: readonly Answer[]): CheckedAnswers {
  const issues: AnswerIssue[] = [];
  const byId = new Map<string, Answer>();
  const known = new Set(questions.map((question) => question.id));
  for (const answer of sent) {
    const questionId = answer.questionId;
    if (!known.has(questionId)) issues.push({ questionId, ...problem("unknown_question", "No question of this session has this id.") });
    else if (byId.has(questionId)) issues.push({ questionId, ...problem("answered_twice", "This question is answered twice.") });
    byId.set(questionId, answer);
  }
  const answers = questions.map((question): Answer => {
    const answer = byId.get(question.id) ?? { questionId: question.id, values: [] };
    const tidied = tidyAnswer(question, answer);
    const wrong = checkTidied(question, tidied);
    if (wrong !== undefined) issues.push({ questionId: question.id, ...wrong });
    return { ...tidied, values: [...tidied.values] };
  });
  return issues.length === 0 ? { ok: true, answers } : { ok: false, issues };
}
