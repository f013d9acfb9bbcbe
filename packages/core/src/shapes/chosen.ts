import type { Answer } from "../session/answer.ts";
import { offeredOptions, type Question, traitsOf } from "../session/questions/index.ts";

/** What an answer holds besides its question's id and its note. */
export type Given = Pick<Answer, "values" | "customText">;

/**
 * An answer as the words that a person would say: the labels of the chosen options in their order, then the text of Other. Where
 * `givenFromWords` would read the words otherwise, they are one text of JSON, `{"values": […], "customText": "…"}`.
 */
export function wordsOf(question: Question, given: Given): string[] {
  return faithful(given, plainWords(question, given), (words) => givenFromWords(question, words));
}

/** The same with commas between; undefined if the question was skipped. */
export function sentenceOf(question: Question, given: Given): string | undefined {
  const words = plainWords(question, given);
  if (words.length === 0) return undefined;
  return faithful(given, [words.join(", ")], ([sentence = ""]) => givenFromSentence(question, sentence))[0];
}

/** What is no option's label is the person's own text. */
export function givenFromWords(question: Question, words: readonly string[]): Given {
  const exact = words.length === 1 ? exactGiven(words[0] ?? "") : undefined;
  if (exact !== undefined) return exact;
  if (!("options" in question)) return { values: words.map((word) => plainValue(question, word)) };
  const values: string[] = [];
  const own: string[] = [];
  for (const word of words) {
    const value = valueNamed(question, word);
    if (value === undefined || values.includes(value) || own.length > 0) own.push(word);
    else values.push(value);
  }
  return withOther(values, own.join(", "));
}

export function givenFromSentence(question: Question, sentence: string): Given {
  const exact = exactGiven(sentence);
  if (exact !== undefined) return exact;
  if (sentence === "") return { values: [] };
  if (!("options" in question)) return { values: [plainValue(question, sentence)] };
  if (traitsOf(question).picks === "one") {
    const value = valueNamed(question, sentence);
    return value === undefined ? { values: [], customText: sentence } : { values: [value] };
  }
  return readList(question, sentence);
}

/** Takes labels off the front for as long as there are any, the longest first, since a label may hold commas itself. */
function readList(question: Question, sentence: string): Given {
  const labels = offeredOptions(question)
    .map((option) => labelOf(question, option.value))
    .sort((a, b) => b.length - a.length);
  const values: string[] = [];
  let rest = sentence;
  while (rest !== "") {
    const label = labels.find((candidate) => candidate !== "" && (rest === candidate || rest.startsWith(`${candidate}, `)));
    const value = label === undefined ? undefined : valueNamed(question, label);
    if (label === undefined || value === undefined || values.includes(value)) break;
    values.push(value);
    rest = rest.slice(label.length + ", ".length);
  }
  return withOther(values, rest);
}

function plainWords(question: Question, { values, customText }: Given): string[] {
  const labels = values.map((value) => labelOf(question, value));
  return customText === undefined ? labels : [...labels, customText];
}

/** Options are told apart by their labels, or by their values where two have the same label. */
function labelOf(question: Question, value: string): string {
  const options = offeredOptions(question);
  const label = options.find((option) => option.value === value)?.label ?? value;
  return options.filter((option) => option.label === label).length > 1 ? value : label;
}

function valueNamed(question: Question, word: string): string | undefined {
  return offeredOptions(question).find(({ value }) => labelOf(question, value) === word)?.value;
}

function plainValue(question: Question, word: string): string {
  const plain = word.trim().toLowerCase();
  return offeredOptions(question).find(({ value }) => value === plain)?.value ?? word;
}

const withOther = (values: string[], text: string): Given => (text === "" ? { values } : { values, customText: text });

/** The words, if they are read as what was given, else what cannot be misread. */
function faithful(given: Given, words: string[], read: (words: string[]) => Given): string[] {
  return exactText(read(words)) === exactText(given) ? words : [exactText(given)];
}

const exactText = ({ values, customText }: Given): string => JSON.stringify({ values, customText });

function exactGiven(text: string): Given | undefined {
  if (!text.startsWith('{"values":')) return undefined;
  try {
    const { values, customText, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const isText = (value: unknown) => typeof value === "string";
    if (!Array.isArray(values) || !values.every(isText) || Object.keys(rest).length > 0) return undefined;
    if (customText === undefined) return { values };
    return typeof customText === "string" ? { values, customText } : undefined;
  } catch {
    return undefined;
  }
}
