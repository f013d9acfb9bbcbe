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
  const options = offeredOptions(question);
  const { picks } = traitsOf(question);
  const whole = optionOf(options, text);
  if (whole !== undefined) return { values: [whole] };
  if (picks === "many" || picks === "order") {
    const several = text.split(/[,;\s]+/).map((word) => optionOf(options, word));
    if (several.every((value) => value !== undefined)) return { values: [...new Set(several)] };
    const named = text.split(/[,;]/).map((word) => optionOf(options, word));
    if (named.every((value) => value !== undefined)) return { values: [...new Set(named)] };
  }
  if (!takesOther(question)) return undefined;
  return { values: picks === "many" ? [...picked] : [], customText: text };
}

/** An option by its value, its label or its number. A label wins: the option `2` of a scale is not the second one. */
function optionOf(options: readonly OfferedOption[], word: string): string | undefined {
  const plain = word.trim().toLowerCase();
  const matching = options.filter(({ label, value }) => [label, value].some((name) => name.trim().toLowerCase() === plain));
  if (matching.length === 1) return matching[0]?.value;
  return /^#?\d{1,3}$/.test(plain) ? options[Number(plain.replace("#", "")) - 1]?.value : undefined;
}
