import { AskboxError, checkAnswers, parseAsk, type Question } from "@askbox/core";
import type { QuestionTypeName } from "@askbox/core/questions";
import { seededIds } from "@askbox/core/testing";

/** A question as stored by the core. */
export function asked(type: QuestionTypeName, fields: Record<string, unknown> = {}): Question {
  const [question] = parseAsk({ questions: [{ id: "q", question: "?", type, ...fields }] }, { ids: seededIds() }).questions;
  if (question === undefined) throw new Error("There is no question.");
  return question;
}

/** The message with which the question is rejected. */
export function refusalOf(type: QuestionTypeName, fields: Record<string, unknown>): string {
  try {
    asked(type, fields);
  } catch (error) {
    if (error instanceof AskboxError && error.code === "VALIDATION") return error.message;
    throw error;
  }
  throw new Error(`It was accepted: ${JSON.stringify(fields)}`);
}

/** The stored value of a person's input, or the message with which it is rejected. */
export function kept(question: Question, ...values: string[]): { value: string | undefined } | { refused: string } {
  const checked = checkAnswers([question], [{ questionId: "q", values }]);
  return checked.ok ? { value: checked.answers[0]?.values[0] } : { refused: checked.issues.map(({ message }) => message).join(" ") };
}
