import type { Answer, SessionView } from "@askbox/core";
import { checkAnswer, type OfferedOption, offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import type { Picked } from "./card.ts";

type Question = SessionView["questions"][number];

/** What a person has written as the answer: options by number or name, a value, or their own words. `problem`: one sentence. */
export function pickedFromText(question: Question, text: string, present: Picked): Picked | { problem: string } {
  const { attached, picks, typed } = traitsOf(question);
  if (attached) return { problem: "The answer is a file: reply with the file itself." };
  if (picks === "decision") return { problem: "A text neither allows nor denies; press a button." };
  const picked = typed === undefined ? chosen(question, text, present) : { values: [text] };
  if (picked === undefined) return { problem: "That is none of the options; reply with its number, or press its button." };
  const answer: Answer = { questionId: question.id, ...picked };
  const problem = checkAnswer(question, answer);
  return problem === undefined ? picked : { problem };
}

function chosen(question: Question, text: string, present: Picked): Picked | undefined {
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
  return { values: picks === "many" ? present.values : [], customText: text };
}

/** An option by its value, its label or its number. A label wins: the option `2` of a scale is not the second one. */
function optionOf(options: readonly OfferedOption[], word: string): string | undefined {
  const plain = word.trim().toLowerCase();
  const matching = options.filter(({ label, value }) => [label, value].some((name) => name.trim().toLowerCase() === plain));
  if (matching.length === 1) return matching[0]?.value;
  return /^#?\d{1,3}$/.test(plain) ? options[Number(plain.replace("#", "")) - 1]?.value : undefined;
}
