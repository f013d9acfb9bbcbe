import { defined, own } from "../objects.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import { answered, answerSet, givenFromWords, wordsOf } from "./chosen.ts";

/** The answer of Codex's `request_user_input`, by question id. Note and comment are askbox's own. */
export interface CodexAnswers {
  answers: Record<string, { answers: string[]; note?: string }>;
  comment?: string;
}

/** Answers in the format of Codex. */
export function answersAsCodex(questions: readonly Question[], set: AnswerSet): CodexAnswers {
  const rows = answered(questions, set).map(({ question, answer }) => {
    return [question.id, { answers: wordsOf(question, answer), ...defined({ note: answer.note }) }] as const;
  });
  return { answers: Object.fromEntries(rows), ...defined({ comment: set.comment }) };
}

/** Reads answers in the format of Codex. */
export function answersFromCodex(questions: readonly Question[], { answers, comment }: CodexAnswers): AnswerSet {
  return answerSet(
    questions,
    (question) => {
      const { answers: words = [], note } = own(answers, question.id) ?? {};
      return { ...givenFromWords(question, words), note };
    },
    comment,
  );
}
