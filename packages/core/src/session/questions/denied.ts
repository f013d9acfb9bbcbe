import type { Outcome } from "../outcome.ts";
import type { Question } from "./schemas.ts";
import { offeredOptions, traitsOf } from "./traits.ts";

/** Whether an action was denied. */
export function isDenied({ questions, outcome }: { questions: readonly Question[]; outcome?: Outcome | undefined }): boolean {
  if (outcome?.kind !== "answered") return false;
  const values = new Map(outcome.answers.map((answer) => [answer.questionId, answer.values]));
  return questions.some(
    (question) =>
      traitsOf(question).picks === "decision" &&
      offeredOptions(question).some(({ value, shortcut }) => shortcut === "no" && values.get(question.id)?.includes(value)),
  );
}
