import { validSet } from "../ports-harness.ts";

export const without = (questionId: string) => ({ answers: validSet().answers.filter((answer) => answer.questionId !== questionId) });
export const withAnswer = (questionId: string, answer: { values: string[]; customText?: string }) => ({
  answers: [...without(questionId).answers, { questionId, ...answer }],
});
