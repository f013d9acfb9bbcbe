import { defined } from "../objects.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import { answered, answerSet, givenFromSentence, sentenceOf } from "./chosen.ts";

/** The answer of Gemini CLI's `ask_user`, by the question's index; a skipped question has no key. Notes and comment are askbox's own. */
export interface GeminiCliAnswers {
  answers: Record<string, string>;
  notes?: Record<string, string>;
  comment?: string;
}

/** Answers in the format of Gemini CLI. */
export function answersAsGeminiCli(questions: readonly Question[], set: AnswerSet): GeminiCliAnswers {
  const rows = answered(questions, set);
  const byIndex = (texts: (string | undefined)[]): Record<string, string> =>
    Object.fromEntries(texts.flatMap((text, index) => (text === undefined ? [] : [[String(index), text]])));
  const notes = byIndex(rows.map(({ answer }) => answer.note));
  return {
    answers: byIndex(rows.map(({ question, answer }) => sentenceOf(question, answer))),
    ...(Object.keys(notes).length === 0 ? {} : { notes }),
    ...defined({ comment: set.comment }),
  };
}

/** Reads answers in the format of Gemini CLI. */
export function answersFromGeminiCli(questions: readonly Question[], { answers, notes, comment }: GeminiCliAnswers): AnswerSet {
  return answerSet(
    questions,
    (question, index) => ({ ...givenFromSentence(question, answers[index] ?? ""), note: notes?.[index] }),
    comment,
  );
}
