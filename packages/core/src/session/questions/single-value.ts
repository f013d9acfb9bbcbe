import { quote } from "../../texts.ts";
import type { Answer } from "../answer.ts";
import { type AnswerProblem, isBlank, mustBeAnswered, problem, QuestionRefusal } from "./question-type.ts";
import type { QuestionBase } from "./schemas.ts";

/** Checks that an answer is one value or a skip, before `checkValue` validates the value. `kind` names the type: `text`, `number`. */
export function checkSingle(
  question: QuestionBase,
  answer: Answer,
  kind: string,
  checkValue: (value: string) => AnswerProblem | undefined,
): AnswerProblem | undefined {
  if (answer.customText !== undefined) return problem("shape", `A ${kind} question takes its ${kind} in values, not as customText.`);
  if (answer.values.length > 1) return problem("shape", `A ${kind} question takes a single ${kind}.`);
  const value = answer.values[0];
  if (value === undefined) return question.required ? mustBeAnswered() : undefined;
  if (!isBlank(value)) return checkValue(value);
  return question.required ? mustBeAnswered() : problem("blank", "A blank text is not an answer; skip the question instead.");
}

/** The answer with its value normalized; unchanged unless there is exactly one value. */
export function tidySingle(answer: Answer, write: (value: string) => string): Answer {
  const [value, ...more] = answer.values;
  return value === undefined || more.length > 0 ? answer : { ...answer, values: [write(value)] };
}

export const singleText = (answer: Answer): string => answer.values[0] ?? "";

/**
 * The agent's suggested answer. It is shown, and the person can accept it; it is never filled in or sent automatically. Throws
 * `QuestionRefusal` if it is not a valid answer. A blank one is ignored.
 */
export function suggestionOf(suggestion: string | undefined, checkValue: (value: string) => AnswerProblem | undefined): string | undefined {
  if (suggestion === undefined || isBlank(suggestion)) return undefined;
  const wrong = checkValue(suggestion);
  if (wrong === undefined) return suggestion;
  throw new QuestionRefusal(`suggests ${quote(suggestion)}, which it would not accept: ${wrong.message}`);
}

/** Throws `QuestionRefusal` for limits that no value satisfies. */
export function refuseEmptyRange<Limit extends string | number>(
  min: Limit | undefined,
  max: Limit | undefined,
  names: readonly [string, string] = ["min", "max"],
): void {
  if (min === undefined || max === undefined || min <= max) return;
  throw new QuestionRefusal(`has a ${names[0]} of ${String(min)} above its ${names[1]} of ${String(max)}; no answer could be valid`);
}
