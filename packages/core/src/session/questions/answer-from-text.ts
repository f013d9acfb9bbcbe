import type { Answer } from "../answer.ts";
import { checkAnswer } from "./check-answers.ts";
import type { OfferedOption } from "./question-type.ts";
import type { Question } from "./schemas.ts";
import { offeredOptions, takesOther, traitsOf } from "./traits.ts";

/**
 * Reads a line that a person typed as their answer to one question: the number of an option (`2`, `#2`), its label or value in any case,
 * several of them for a question that takes several (`1, 3`), the text or number that a typed question wants, or the person's own words where
 * Other is offered. A label wins over a number: the option `2` of a scale is not the second one. The answer is checked.
 *
 * Returns `problem`, one sentence for the person, if it is no answer. A line never allows or denies, and is never a file. `picked`: the values that
 * are selected already, to which own words of a multi-select are added.
 *
 * @example
 * ```ts
 * import type { Question } from "@askbox/core";
 * import { answerFromText } from "@askbox/core/questions";
 *
 * export function readLine(question: Question, line: string) {
 *   const answer = answerFromText(question, line);
 *   if ("problem" in answer) console.log(answer.problem);
 *   return answer;
 * }
 * ```
 */
export function answerFromText(
  question: Question,
  text: string,
  { picked = [] }: { picked?: readonly string[] | undefined } = {},
): Answer | { problem: string } {
  const { attached, picks, typed } = traitsOf(question);
  if (attached) return { problem: "The answer is a file: reply with the file itself." };
  if (picks === "decision") return { problem: "A text neither allows nor denies; press a button." };
  const given = typed === undefined ? chosen(question, text, picked) : { values: [text] };
  if (given === undefined) return { problem: "That is none of the options; reply with its number, or press its button." };
  const answer: Answer = { questionId: question.id, ...given };
  const problem = checkAnswer(question, answer);
  return problem === undefined ? answer : { problem };
}

function chosen(question: Question, text: string, picked: readonly string[]): Pick<Answer, "values" | "customText"> | undefined {
  const { picks } = traitsOf(question);
  const optionOf = (word: string): string | undefined => {
    const [value, rival] = optionsNamed(question, word, { areNumbered: true });
    return rival === undefined ? value : undefined;
  };
  const whole = optionOf(text);
  if (whole !== undefined) return { values: [whole] };
  if (picks === "many" || picks === "order") {
    const several = text.split(/[,;\s]+/).map(optionOf);
    if (several.every((value) => value !== undefined)) return { values: [...new Set(several)] };
    const named = text.split(/[,;]/).map(optionOf);
    if (named.every((value) => value !== undefined)) return { values: [...new Set(named)] };
  }
  if (!takesOther(question)) return undefined;
  return { values: picks === "many" ? [...picked] : [], customText: text };
}

/**
 * The values of the options that a typed word names: none, one, or several between which it doesn't decide. It is an option's value or label,
 * exactly or else in any case; the first letter of a yes or no; or `#2`, the place of an option. `areNumbered`: people see the options with
 * numbers, so that `2` is a place, too. A value or label wins over a number: the option `2` of a scale is not the second one. A decision is
 * named by its whole label only.
 */
export function optionsNamed(question: Question, word: string, { areNumbered = false }: { areNumbered?: boolean } = {}): string[] {
  const options = offeredOptions(question);
  const plain = (text: string) => text.trim().toLowerCase();
  const isNamedBy = (...names: string[]) => names.some((name) => plain(name) === plain(word));
  const valuesOf = (found: readonly OfferedOption[]) => found.map(({ value }) => value);
  if (traitsOf(question).picks === "decision") return valuesOf(options.filter(({ label }) => isNamedBy(label)));
  if (options.some(({ value }) => value === word)) return [word];
  const exact = options.filter(({ label }) => label === word);
  if (exact.length > 0) return valuesOf(exact);
  const loose = options.filter(({ label, value, shortcut }) => isNamedBy(label, value, shortcut?.slice(0, 1) ?? value));
  if (loose.length > 0) return valuesOf(loose);
  const [, mark, place] = /^(#?)(\d{1,3})$/.exec(word.trim()) ?? [];
  const option = mark === "#" || areNumbered ? options[Number(place) - 1] : undefined;
  return option === undefined ? [] : [option.value];
}
