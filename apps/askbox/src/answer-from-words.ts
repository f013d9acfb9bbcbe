import { basename } from "node:path";
import type { Answer, Question } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { offeredOptions, optionsNamed, traitsOf } from "@askbox/core/questions";
import { quote } from "@askbox/core/schemas";
import { usageError } from "./usage.ts";

/** The flags and arguments of `askbox answer`. */
export interface Words {
  /** Bare values; only allowed if there is one question. */
  values: readonly string[];
  /** `ID=VALUE` */
  set: readonly string[];
  /** `ID=TEXT` */
  other: readonly string[];
  /** `ID=TEXT` */
  note: readonly string[];
  /** `ID=PATH`, or just the path if there is one question. */
  file: readonly string[];
  /** Question ids. */
  skip: readonly string[];
}

/** A file that is still to be uploaded. */
export const fileToUpload = (path: string): AnswerFile => ({ name: basename(path), mimeType: "", size: 0, sha256: "", path });

/**
 * Parses what was typed into answers, without validating them: the desk does that. Their files have only a path, and are still to be
 * uploaded. Throws `VALIDATION` if it can't be parsed.
 */
export function answersFromWords(questions: readonly Question[], words: Words): Answer[] {
  const answers = new Map<string, Answer>();
  const answerTo = (question: Question): Answer => {
    const answer = answers.get(question.id) ?? { questionId: question.id, values: [] };
    answers.set(question.id, answer);
    return answer;
  };
  const attach = (question: Question, path: string): void => {
    const answer = answerTo(question);
    answer.files = [...(answer.files ?? []), fileToUpload(path)];
  };
  const give = (question: Question, word: string): void => {
    if (traitsOf(question).attached) attach(question, word);
    else answerTo(question).values.push(...meaningsOf(question, word));
  };
  const [only, ...more] = questions;
  if (words.values.length > 0) {
    if (only === undefined || more.length > 0)
      throw usageError(`There are ${questions.length} questions; specify which one each answer is for: ${waysToSet(questions)}.`);
    for (const word of words.values) give(only, word);
  }
  for (const pair of words.set) {
    const [question, word] = split(pair, "--set", questions);
    give(question, word);
  }
  for (const pair of words.other) {
    const [question, text] = split(pair, "--other", questions);
    const answer = answerTo(question);
    if (answer.customText !== undefined) throw usageError(`--other is given twice for ${question.id}.`);
    answer.customText = text;
  }
  for (const pair of words.note) {
    const [question, text] = split(pair, "--note", questions);
    const answer = answerTo(question);
    answer.note = answer.note === undefined ? text : `${answer.note}\n${text}`;
  }
  for (const pair of words.file) {
    const isPath = only !== undefined && more.length === 0 && !pair.startsWith(`${only.id}=`);
    const [question, path] = isPath ? [only, pair] : split(pair, "--file", questions);
    attach(question, path);
  }
  for (const id of words.skip) skip(answerTo(named(id, "--skip", questions)));
  if (answers.size === 0)
    throw usageError(`Specify an answer: ${only !== undefined && more.length === 0 ? "a VALUE" : waysToSet(questions)}.`);
  return [...answers.values()];
}

/** The values in one word; an order may be one word of comma-separated options. */
function meaningsOf(question: Question, word: string): string[] {
  const whole = meaningOf(question, word);
  if (traitsOf(question).picks !== "order" || offeredOptions(question).some(({ value }) => value === whole)) return [whole];
  return word.split(",").map((part) => meaningOf(question, part.trim()));
}

/** The value that a word stands for: an option's, or itself, which the desk then checks. */
function meaningOf(question: Question, word: string): string {
  const [value, rival] = optionsNamed(question, word);
  if (rival !== undefined) throw usageError(`${quote(word)} matches more than one option of ${question.id}; use its number, as in '#1'.`);
  return value ?? word;
}

function skip(answer: Answer): void {
  if (answer.values.length > 0 || answer.customText !== undefined || answer.files !== undefined)
    throw usageError(`${answer.questionId} is both answered and skipped; choose one.`);
}

/** Splits `ID=TEXT`. An id may contain an equals sign itself, so the longest matching id wins. */
function split(pair: string, flag: string, questions: readonly Question[]): [Question, string] {
  const [question] = questions.filter(({ id }) => pair.startsWith(`${id}=`)).sort((a, b) => b.id.length - a.id.length);
  if (question !== undefined) return [question, pair.slice(question.id.length + 1)];
  const mark = pair.indexOf("=");
  if (mark < 1)
    throw usageError(`${flag} takes a question's id, an equals sign and a text, as in ${flag} ${questions[0]?.id ?? "ID"}=TEXT.`);
  return [named(pair.slice(0, mark), flag, questions), ""];
}

function named(id: string, flag: string, questions: readonly Question[]): Question {
  const question = questions.find((candidate) => candidate.id === id);
  if (question === undefined)
    throw usageError(`${flag}: there is no question ${quote(id)} here; its questions are ${questions.map((one) => one.id).join(", ")}.`);
  return question;
}

function waysToSet(questions: readonly Question[]): string {
  return questions.map(({ id }) => `--set ${id}=VALUE`).join(" ");
}
