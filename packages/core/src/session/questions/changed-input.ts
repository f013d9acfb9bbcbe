import type { Answer } from "../answer.ts";
import { type AnswerProblem, problem } from "./question-type.ts";
import type { Question } from "./schemas.ts";

interface Entered {
  values: readonly string[];
  /** JSON, as far as typed. */
  input?: string | undefined;
}

/**
 * The arguments with which an action is to be allowed: `{}` if they are the agent's own, or if it is denied; undefined if what was typed is
 * no JSON object, or has a number that isn't kept.
 */
export function changedInput(question: Question, { values, input: text }: Entered): Pick<Answer, "input"> | undefined {
  if (text === undefined || values.includes("deny") || !("editable" in question) || question.editable !== true) return {};
  try {
    const input: unknown = JSON.parse(text, (_, value) => {
      if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError();
      return value;
    });
    if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
    return JSON.stringify(input) === JSON.stringify(question.action.input ?? {}) ? {} : { input: input as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

/** What is wrong with the arguments of an action that is allowed; undefined if they can be sent. */
export function inputProblem(question: Question, entered: Entered): AnswerProblem | undefined {
  if (entered.values.length === 0 || changedInput(question, entered) !== undefined) return undefined;
  return problem("shape", "The arguments must be a JSON object, without numbers of more than 15 digits.");
}
