import * as z from "zod";
import { quote } from "../../quote.ts";
import type { Answer } from "../answer.ts";
import { refusals } from "../refusals.ts";
import {
  type AnswerProblem,
  baseOf,
  defined,
  isBlank,
  isSkipped,
  mustBeAnswered,
  problem,
  QuestionRefusal,
  questionBase,
  questionInputBase,
} from "./question-type.ts";

const optionInput = z.union(
  [
    z.string(),
    z.object({
      label: z.string(),
      value: z.string().optional(),
      description: z.string().optional(),
      recommended: z.boolean().optional(),
      preview: z.string().optional(),
    }),
  ],
  { error: "must be a string or an object with a label" },
);

/** What an agent sends for `select` and `multi-select`. */
export const choiceInput = questionInputBase.extend({
  options: z.array(optionInput).optional(),
  allowOther: z.boolean().default(true),
  placeholder: z.string().optional(),
});
export type ChoiceInput = z.infer<typeof choiceInput>;

/** One option as stored; its `value` is what the agent receives. */
export const optionSchema = z.object({
  label: z.string(),
  value: z.string(),
  description: z.string().optional(),
  /** The agent's own recommendation. Shown, never preselected. */
  recommended: z.boolean().optional(),
  /** Markdown or code that shows what choosing it would mean. */
  preview: z.string().optional(),
});
/** One option of a question; `value` is what the answer contains. */
export type Option = z.infer<typeof optionSchema>;

/** What `select` and `multi-select` share. */
export const choiceBase = questionBase.extend({
  options: z.array(optionSchema),
  /** Whether a text in the person's own words is accepted in addition to, or instead of, the options. */
  allowOther: z.boolean(),
  placeholder: z.string().optional(),
});
/** A question with options to choose from. */
export type ChoiceQuestion = z.infer<typeof choiceBase>;

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
