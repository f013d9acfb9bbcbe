import { defined } from "../objects.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import { answered, answerSet, givenFromWords, wordsOf } from "./chosen.ts";

/** The answer of OpenCode's `question`: a list for each question, in the questions' order. Notes and comment are askbox's own. */
export interface OpenCodeAnswers {
  answers: string[][];
  /** In the questions' order. */
  notes?: (string | null)[];
  comment?: string;
}

/** Answers in the format of OpenCode. */
export function answersAsOpenCode(questions: readonly Question[], set: AnswerSet): OpenCodeAnswers {
  const rows = answered(questions, set);
  const notes = rows.map(({ answer }) => answer.note ?? null);
  return {
    answers: rows.map(({ question, answer }) => wordsOf(question, answer)),
    ...(notes.some((note) => note !== null) ? { notes } : {}),
    ...defined({ comment: set.comment }),
  };
}

/** Reads answers in the format of OpenCode. */
export function answersFromOpenCode(questions: readonly Question[], { answers, notes, comment }: OpenCodeAnswers): AnswerSet {
  return answerSet(
    questions,
    (question, index) => ({ ...givenFromWords(question, answers[index] ?? []), note: notes?.[index] ?? undefined }),
    comment,
  );
}
