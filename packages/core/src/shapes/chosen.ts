import { defined } from "../objects.ts";
import type { Answer, AnswerSet } from "../session/answer.ts";
import { offeredOptions, type Question, traitsOf } from "../session/questions/index.ts";

/** The contents of an answer besides its question's id and its note. */
export type Given = Pick<Answer, "values" | "customText">;

/**
 * An answer in words: the labels of the chosen options in order, then the text of Other. If `givenFromWords` would parse the words
 * differently, they are JSON text instead, `{"values": […], "customText": "…"}`.
 */
export function wordsOf(question: Question, chosen: Given): string[] {
  return faithful(chosen, plainWords(question, chosen), (words) => givenFromWords(question, words));
}

/** The same, joined by commas; undefined if the question was skipped. */
export function sentenceOf(question: Question, chosen: Given): string | undefined {
  const words = plainWords(question, chosen);
  if (words.length === 0) return undefined;
  return faithful(chosen, [words.join(", ")], ([sentence = ""]) => givenFromSentence(question, sentence))[0];
}

/** Anything that is not an option's label is the person's own text. */
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

/** Splits labels off the front, longest first, since a label may contain commas itself. */
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

/** Options are identified by their labels, or by their values if two have the same label. */
export function labelOf(question: Question, value: string): string {
  const options = offeredOptions(question);
  const label = options.find((option) => option.value === value)?.label ?? value;
  return options.filter((option) => option.label === label).length > 1 ? value : label;
}

/** The value of the option with this text, as `labelOf` has it. */
export function valueNamed(question: Question, word: string): string | undefined {
  return offeredOptions(question).find(({ value }) => labelOf(question, value) === word)?.value;
}

function plainValue(question: Question, word: string): string {
  const plain = word.trim().toLowerCase();
  return offeredOptions(question).find(({ value }) => value === plain)?.value ?? word;
}

const withOther = (values: string[], text: string): Given => (text === "" ? { values } : { values, customText: text });

/** The words, if they parse as the given answer, otherwise an unambiguous form. */
function faithful(chosen: Given, words: string[], read: (words: string[]) => Given): string[] {
  return exactText(read(words)) === exactText(chosen) ? words : [exactText(chosen)];
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

/** Each question with its answer; an omitted answer means skipped. */
export function answered(questions: readonly Question[], { answers }: AnswerSet): { question: Question; answer: Answer }[] {
  return questions.map((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    return { question, answer: answer ?? { questionId: question.id, values: [] } };
  });
}

/** The answers from a parser of each question; a blank note or comment is dropped. */
export function answerSet(
  questions: readonly Question[],
  read: (question: Question, index: number) => Given & { note?: string | undefined },
  comment?: string | undefined,
): AnswerSet {
  const answers = questions.map((question, index): Answer => {
    const { values, customText, note } = read(question, index);
    return { questionId: question.id, values, ...defined({ customText }), ...(note ? { note } : {}) };
  });
  return { answers, ...(comment ? { comment } : {}) };
}

/** The texts as unique keys of an object: a repeated text gets the suffix ` (2)`, and so on. */
export function uniqueKeys(texts: readonly string[]): string[] {
  const reserved = new Set(texts);
  const taken = new Set<string>();
  return texts.map((text) => {
    let key = text;
    for (let count = 2; taken.has(key) || (key !== text && reserved.has(key)); count += 1) key = `${text} (${count})`;
    taken.add(key);
    return key;
  });
}
