import { defined } from "../../objects.ts";
import { quote } from "../../texts.ts";
import type { Answer } from "../answer.ts";
import { refusals } from "../refusals.ts";
import {
  type AnswerProblem,
  type AskedType,
  baseOf,
  counted,
  isBlank,
  isSkipped,
  mustBeAnswered,
  problem,
  QuestionRefusal,
} from "./question-type.ts";
import type { ChoiceInput, ChoiceQuestion, Option } from "./schemas.ts";
import { refuseEmptyRange } from "./single-value.ts";

/** One of the options, or a text in the person's own words: at most one of the two. */
export const select = {
  type: "select",
  picks: "one",
  aliases: ["choice", "single-select", "single_select"],
  widget: () => "options",
  metavar: () => "#N",
  parse: (sent, id) => ({ ...choiceOf(sent, id), type: "select" }),
  check: (question, answer) =>
    checkChoice(question, answer) ??
    (choiceCount(answer) > 1 ? problem("too_many_choices", "Choose a single option, or Other.", 1) : undefined),
  text: choiceText,
  expects: () => "choose one",
  offers: ({ options }) => options,
} satisfies AskedType<"select">;

/** Any of the options, plus a text in the person's own words. */
export const multiSelect = {
  type: "multi-select",
  picks: "many",
  aliases: ["multiselect", "multi_select"],
  widget: () => "options",
  metavar: () => "#N",
  parse({ minChoices, maxChoices, ...rest }, id) {
    const question = choiceOf(rest, id);
    const possible = question.options.length + (question.allowOther ? 1 : 0);
    refuseEmptyRange(minChoices, maxChoices, ["minChoices", "maxChoices"]);
    if (minChoices !== undefined && minChoices > possible) {
      const offered = `${counted(question.options.length, "option")}${question.allowOther ? " and Other" : ""}`;
      throw new QuestionRefusal(`wants at least ${counted(minChoices, "choice")} and offers ${offered}`);
    }
    return { ...question, type: "multi-select", ...defined({ minChoices: minChoices === 0 ? undefined : minChoices, maxChoices }) };
  },
  check(question, answer) {
    const wrong = checkChoice(question, answer);
    if (wrong !== undefined || isSkipped(answer)) return wrong;
    const { minChoices = 0, maxChoices = Number.POSITIVE_INFINITY } = question;
    const count = choiceCount(answer);
    if (count < minChoices) return problem("too_few_choices", `Choose at least ${minChoices}; ${count} chosen so far.`, minChoices);
    if (count > maxChoices) return problem("too_many_choices", `Choose at most ${maxChoices}; ${count} are chosen.`, maxChoices);
    return undefined;
  },
  text: choiceText,
  offers: ({ options }) => options,
  expects({ minChoices, maxChoices }) {
    if (minChoices === undefined) return maxChoices === undefined ? "choose any" : `choose up to ${maxChoices}`;
    if (maxChoices === undefined) return `choose at least ${minChoices}`;
    return minChoices === maxChoices ? `choose ${minChoices}` : `choose ${minChoices} to ${maxChoices}`;
  },
} satisfies AskedType<"multi-select">;

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
const choiceCount = (answer: Answer): number => answer.values.length + (answer.customText === undefined ? 0 : 1);

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
