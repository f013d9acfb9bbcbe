import type { Answer } from "../answer.ts";
import type { Outcome } from "../outcome.ts";
import { type AnswerIssue, type AnswerProblem, isSkipped, type OfferedOption, problem } from "./question-type.ts";
import type { Question } from "./schemas.ts";
import { offeredOptions, takesOther, traitsOf } from "./traits.ts";
import { typeOf } from "./types.ts";

/** The answer in normalized form: canonical numbers, and trimmed texts if they have a format. */
export function tidyAnswer(question: Question, answer: Answer): Answer {
  return typeOf(question).tidy?.(question, answer) ?? answer;
}

/** What is wrong with one answer, with a code for surfaces with their own wording; undefined if it is valid. */
export function answerProblem(question: Question, answer: Answer): AnswerProblem | undefined {
  return checkTidied(question, tidyAnswer(question, answer));
}

function checkTidied(question: Question, answer: Answer): AnswerProblem | undefined {
  if (answer.input !== undefined && !("action" in question)) return problem("shape", "This question takes no arguments.");
  const { typed, check } = typeOf(question);
  // A picture says it.
  if (typed === "words" && answer.files?.length && isSkipped(answer)) return undefined;
  return check(question, answer);
}

/** What is wrong with one answer, as a sentence; undefined if it is valid. */
export function checkAnswer(question: Question, answer: Answer): string | undefined {
  return answerProblem(question, answer)?.message;
}

export type CheckedAnswers = { ok: true; answers: Answer[] } | { ok: false; issues: AnswerIssue[] };

/**
 * Validates a person's answers. If all are valid, the result has one normalized answer per question, in order; an optional question that
 * was omitted is answered with `values: []`.
 */
export function checkAnswers(questions: readonly Question[], sent: readonly Answer[]): CheckedAnswers {
  const issues: AnswerIssue[] = [];
  const byId = new Map<string, Answer>();
  const known = new Set(questions.map((question) => question.id));
  for (const answer of sent) {
    const questionId = answer.questionId;
    if (!known.has(questionId)) issues.push({ questionId, ...problem("unknown_question", "No question of this session has this id.") });
    else if (byId.has(questionId)) issues.push({ questionId, ...problem("answered_twice", "This question is answered twice.") });
    byId.set(questionId, answer);
  }
  const answers = questions.map((question): Answer => {
    const answer = byId.get(question.id) ?? { questionId: question.id, values: [] };
    const tidied = tidyAnswer(question, answer);
    const wrong = checkTidied(question, tidied);
    if (wrong !== undefined) issues.push({ questionId: question.id, ...wrong });
    return { ...tidied, values: [...tidied.values] };
  });
  return issues.length === 0 ? { ok: true, answers } : { ok: false, issues };
}

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

interface Entered {
  values: readonly string[];
  /** JSON, as far as typed. */
  input?: string | undefined;
}

/**
 * The arguments with which an action is to be allowed: `{}` if they are the agent's own, or if it is denied; undefined if what was typed is
 * no JSON object, or has a number that isn't kept.
 */
export function changedInput(question: Question, { values, input: text }: Entered): Pick<Answer, "input"> | undefined {
  if (text === undefined || values.includes("deny") || !("editable" in question) || question.editable !== true) return {};
  try {
    const input: unknown = JSON.parse(text, (_, value) => {
      if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) throw new RangeError();
      return value;
    });
    if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
    return JSON.stringify(input) === JSON.stringify(question.action.input ?? {}) ? {} : { input: input as Record<string, unknown> };
  } catch {
    return undefined;
  }
}

/** What is wrong with the arguments of an action that is allowed; undefined if they can be sent. */
export function inputProblem(question: Question, entered: Entered): AnswerProblem | undefined {
  if (entered.values.length === 0 || changedInput(question, entered) !== undefined) return undefined;
  return problem("shape", "The arguments must be a JSON object, without numbers of more than 15 digits.");
}

/** An outcome, or only its answers. */
type Ended = Outcome | Pick<Extract<Outcome, { kind: "answered" }>, "kind" | "answers">;

/** Whether an action was denied. */
export function isDenied({ questions, outcome }: { questions: readonly Question[]; outcome?: Ended | undefined }): boolean {
  if (outcome?.kind !== "answered") return false;
  const values = new Map(outcome.answers.map((answer) => [answer.questionId, answer.values]));
  return questions.some(
    (question) =>
      traitsOf(question).picks === "decision" &&
      offeredOptions(question).some(({ value, shortcut }) => shortcut === "no" && values.get(question.id)?.includes(value)),
  );
}
