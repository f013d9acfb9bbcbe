import { defined } from "../../defined.ts";
import { quote } from "../../quote.ts";
import type { Answer } from "../answer.ts";
import { refusals } from "../refusals.ts";
import { type AnswerProblem, baseOf, isBlank, isSkipped, mustBeAnswered, problem, QuestionRefusal } from "./question-type.ts";
import type { ChoiceInput, ChoiceQuestion, Option } from "./schemas.ts";

export function choiceOf(input: ChoiceInput, id: string): ChoiceQuestion {
  if (!input.options?.length) throw new QuestionRefusal(refusals.optionsRequired, { standsAlone: true });
  const options = input.options.map((sent): Option => {
    const { value, ...rest } = typeof sent === "string" ? { label: sent, value: sent } : sent;
    return { ...rest, value: value ?? rest.label };
  });
  const seen = new Set<string>();
  for (const { value } of options) {
    if (seen.has(value)) throw new QuestionRefusal(`offers the option ${quote(value)} twice`);
    seen.add(value);
  }
  return { ...baseOf(input, id), options, allowOther: input.allowOther, ...defined({ placeholder: input.placeholder }) };
}

/** The number of choices in an answer; Other counts as one. */
export const choiceCount = (answer: Answer): number => answer.values.length + (answer.customText === undefined ? 0 : 1);

export function checkChoice(question: ChoiceQuestion, answer: Answer): AnswerProblem | undefined {
  if (isSkipped(answer)) return question.required ? mustBeAnswered() : undefined;
  if (answer.customText !== undefined) {
    if (!question.allowOther) return problem("shape", "This question accepts only its options.");
    if (isBlank(answer.customText)) return problem("blank_other", "The text of Other is blank.");
  }
  const offered = new Set(question.options.map((option) => option.value));
  const taken = new Set<string>();
  for (const value of answer.values) {
    if (!offered.has(value)) return problem("not_an_option", `${quote(value)} is not one of the options.`);
    if (taken.has(value)) return problem("shape", `${quote(value)} is chosen twice.`);
    taken.add(value);
  }
  return undefined;
}

/** Chosen labels, then the text of Other, separated by commas. */
export function choiceText(question: ChoiceQuestion, answer: Answer): string {
  const label = new Map(question.options.map((option) => [option.value, option.label]));
  const parts = answer.values.map((value) => label.get(value) ?? value);
  if (answer.customText !== undefined) parts.push(answer.customText);
  return parts.join(", ");
}
