import { isSkipped, problem, type QuestionType } from "./question-type.ts";
import type { UnknownQuestion } from "./schemas.ts";

/** A question of a type from a newer askbox: it is shown and preserved, and can be skipped or cancelled here, but not answered. */
export const unknown = {
  type: "unknown",
  widget: () => "notice",
  metavar: () => "…",
  check: (question, answer) =>
    isSkipped(answer) && !question.required
      ? undefined
      : problem("unknown_type", "This version of askbox does not know this type of question; update askbox to answer here."),
  // Its answer came from a version that knows it.
  text: (_question, answer) => [...answer.values, ...(answer.customText === undefined ? [] : [answer.customText])].join(", "),
  expects: () => "a type of question that this askbox does not know",
} satisfies Omit<QuestionType<UnknownQuestion, never>, "parse">;
