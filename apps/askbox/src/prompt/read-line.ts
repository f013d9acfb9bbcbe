import { type Answer, type ChoiceQuestion, checkAnswer, type Question } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";

/** What one line means at a question's prompt. */
export type Reading =
  | { kind: "answer"; answer: Answer }
  /** A first line of text; more may follow. */
  | { kind: "text"; line: string }
  | { kind: "edit" }
  | { kind: "form" }
  | { kind: "cancel" }
  | { kind: "problem"; sentence: string };

/** What can be typed at a question, in a line. `hasForm`: the terminal inbox can be opened from here. */
export function hintFor(question: Question, hasForm = false): string {
  const more = [...(question.required ? [] : ["s skips"]), "c cancels", ...(hasForm ? ["f opens the full form"] : [])];
  const ways: Record<Question["type"], string[]> = {
    text: ["Type the text; an empty line ends it", "e opens your editor"],
    confirm: ["y or n"],
    select: ["A number chooses"],
    "multi-select": ["Numbers choose, as in 1 3"],
  };
  const other = "allowOther" in question && question.allowOther ? ["= and a text is your own words"] : [];
  return [...ways[question.type], ...other, ...more].join(" · ");
}

/** Reads a line; `=` before it takes it as it stands, so that even a command's letter can be an answer. */
export function readLine(question: Question, line: string, hasForm = false): Reading {
  const word = line.trim();
  // An option may be called like a command; what the agent offers is taken before what we do.
  const option = "options" in question ? optionNamed(question, word) : undefined;
  if (option !== undefined) return checked(question, { questionId: question.id, values: [option] });
  if (word === "c") return { kind: "cancel" };
  if (word === "f" && hasForm) return { kind: "form" };
  if (word === "s") return checked(question, { questionId: question.id, values: [] });
  switch (question.type) {
    case "text":
      if (word === "e") return { kind: "edit" };
      if (word === "")
        return { kind: "problem", sentence: question.required ? "Type something, or c to cancel." : "Type something, or s to skip." };
      return { kind: "text", line: line.startsWith("=") ? line.slice(1) : line };
    case "confirm": {
      const value = { y: "yes", yes: "yes", n: "no", no: "no" }[word.toLowerCase()];
      if (value === undefined) return { kind: "problem", sentence: "Type y or n." };
      return checked(question, { questionId: question.id, values: [value] });
    }
    case "select":
    case "multi-select":
      return readChoice(question, word);
  }
}

/** A text that was typed to its end. */
export function readText(question: Question, text: string): Reading {
  return checked(question, { questionId: question.id, values: [text] });
}

/** `1 3`, `= own words`, or both. */
function readChoice(question: ChoiceQuestion & Question, word: string): Reading {
  const mark = word.indexOf("=");
  const customText = mark < 0 ? undefined : word.slice(mark + 1).trim();
  const numbers = (mark < 0 ? word : word.slice(0, mark)).split(/[\s,]+/).filter((part) => part !== "");
  const count = question.options.length;
  if (numbers.length === 0 && customText === undefined) return { kind: "problem", sentence: `Type a number from 1 to ${count}.` };
  const values: string[] = [];
  for (const number of numbers) {
    const option = /^#?\d+$/.test(number) ? question.options[Number(number.replace("#", "")) - 1] : undefined;
    if (option === undefined) {
      const own = question.allowOther ? ", or = and your own words" : "";
      return { kind: "problem", sentence: `${JSON.stringify(terminalLine(number))} is no option; type a number from 1 to ${count}${own}.` };
    }
    if (!values.includes(option.value)) values.push(option.value);
  }
  return checked(question, { questionId: question.id, values, ...(customText === undefined ? {} : { customText }) });
}

function optionNamed({ options }: ChoiceQuestion, word: string): string | undefined {
  if (/^\d+$/.test(word)) return undefined;
  const plain = word.toLowerCase();
  const found = options.filter(({ label, value }) => label.toLowerCase() === plain || value.toLowerCase() === plain);
  return found.length === 1 ? found[0]?.value : undefined;
}

function checked(question: Question, answer: Answer): Reading {
  const sentence = checkAnswer(question, answer);
  return sentence === undefined ? { kind: "answer", answer } : { kind: "problem", sentence };
}
