import { defined } from "../defined.ts";
import type { Answer, AnswerSet } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import type { Given } from "./chosen.ts";

/** Each question with its answer; an omitted answer means skipped. */
export function answered(questions: readonly Question[], { answers }: AnswerSet): { question: Question; answer: Answer }[] {
  return questions.map((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    return { question, answer: answer ?? { questionId: question.id, values: [] } };
  });
}

/** The answers from a parser of each question; a blank note or comment is dropped. */
export function answerSet(
  questions: readonly Question[],
  read: (question: Question, index: number) => Given & { note?: string | undefined },
  comment?: string | undefined,
): AnswerSet {
  const answers = questions.map((question, index): Answer => {
    const { values, customText, note } = read(question, index);
    return { questionId: question.id, values, ...defined({ customText }), ...(note ? { note } : {}) };
  });
  return { answers, ...(comment ? { comment } : {}) };
}
