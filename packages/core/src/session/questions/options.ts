import { z } from "zod";
import type { Answer } from "../answer.ts";
import type { QuestionInput } from "../ask-input.ts";
import { baseOf, isBlank, isSkipped, mustBeAnswered, QuestionRefusal, questionBase } from "./question-type.ts";

/** One choice as it is stored; its `value` is what the agent receives. */
export const optionSchema = z.object({
  label: z.string(),
  value: z.string(),
  description: z.string().optional(),
  /** The agent's own advice. Shown, never preselected. */
  recommended: z.boolean().optional(),
  /** Markdown or code that shows what choosing it would mean. */
  preview: z.string().optional(),
});
export type Option = z.infer<typeof optionSchema>;

/** What `select` and `multi-select` share. */
export const choiceBase = questionBase.extend({
  options: z.array(optionSchema),
  /** Whether a text of the person's own is taken beside, or instead of, the options. */
  allowOther: z.boolean(),
  placeholder: z.string().optional(),
});
export type ChoiceQuestion = z.infer<typeof choiceBase>;

export function choiceOf(input: QuestionInput, id: string): ChoiceQuestion {
  const options = (input.options ?? []).map((given): Option => {
    const { value, ...rest } = typeof given === "string" ? { label: given, value: given } : given;
    return { ...rest, value: value ?? rest.label };
  });
  const seen = new Set<string>();
  for (const { value } of options) {
    if (seen.has(value)) throw new QuestionRefusal(`offers the option ${JSON.stringify(shorten(value))} twice`);
    seen.add(value);
  }
  return {
    ...baseOf(input, id),
    options,
    allowOther: input.allowOther,
    ...(input.placeholder === undefined ? {} : { placeholder: input.placeholder }),
  };
}

export function checkChoice(question: ChoiceQuestion, answer: Answer): string | undefined {
  if (isSkipped(answer)) return question.required ? mustBeAnswered : undefined;
  if (answer.customText !== undefined) {
    if (!question.allowOther) return "This question takes only the options it offers.";
    if (isBlank(answer.customText)) return "The text of Other is blank.";
  }
  const offered = new Set(question.options.map((option) => option.value));
  const taken = new Set<string>();
  for (const value of answer.values) {
    if (!offered.has(value)) return `${JSON.stringify(shorten(value))} is not one of the options.`;
    if (taken.has(value)) return `${JSON.stringify(shorten(value))} is chosen twice.`;
    taken.add(value);
  }
  return undefined;
}

/** Chosen labels, then the text of Other, comma-separated. */
export function choiceText(question: ChoiceQuestion, answer: Answer): string {
  const label = new Map(question.options.map((option) => [option.value, option.label]));
  const parts = answer.values.map((value) => label.get(value) ?? value);
  if (answer.customText !== undefined) parts.push(answer.customText);
  return parts.join(", ");
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
