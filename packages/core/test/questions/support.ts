import { AskboxError, checkAnswers, parseAsk, type Question } from "@askbox/core";
import type { QuestionTypeName } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";

/** One question as the core keeps it. */
export function asked(type: QuestionTypeName, fields: Record<string, unknown> = {}): Question {
  const [question] = parseAsk({ questions: [{ id: "q", question: "?", type, ...fields }] }, { ids: seededIds() }).questions;
  if (question === undefined) throw new Error("There is no question.");
  return question;
}

/** The sentence with which the question is refused. */
export function refusalOf(type: QuestionTypeName, fields: Record<string, unknown>): string {
  try {
    asked(type, fields);
  } catch (error) {
    if (error instanceof AskboxError && error.code === "VALIDATION") return error.message;
    throw error;
  }
  throw new Error(`It was accepted: ${JSON.stringify(fields)}`);
}

/** The value that is kept of what a person wrote, or the sentence with which it is refused. */
export function kept(question: Question, ...values: string[]): { value: string | undefined } | { refused: string } {
  const checked = checkAnswers([question], [{ questionId: "q", values }]);
  return checked.ok ? { value: checked.answers[0]?.values[0] } : { refused: checked.issues.map(({ message }) => message).join(" ") };
}
