import { z } from "zod";
import type { Answer, AnswerIssue } from "../answer.ts";
import { confirm } from "./confirm.ts";
import { date } from "./date.ts";
import { multiSelect } from "./multi-select.ts";
import { number } from "./number.ts";
import { type AnswerProblem, isSkipped, type OfferedOption, type QuestionBase, type QuestionType } from "./question-type.ts";
import { rating } from "./rating.ts";
import { select } from "./select.ts";
import { text } from "./text.ts";
import { knownOrWrapped, type UnknownQuestion, unknown } from "./unknown.ts";

/** Every type of question, the contract's four first. A new type is a file beside this one and its name here. */
const types = { text, select, "multi-select": multiSelect, confirm, number, date, rating };

type Types = typeof types;
export type QuestionTypeName = keyof Types;
/** What an agent sends for one question, read: the defaults filled in, unknown fields stripped. */
export type QuestionInput = z.output<Types[QuestionTypeName]["input"]>;
export type Question = z.output<Types[QuestionTypeName]["schema"]> | UnknownQuestion;

type Erased = QuestionType<string, unknown, QuestionBase & { type: string }>;
const asked = types as unknown as Record<QuestionTypeName, Erased>;
const stored = { ...types, unknown } as unknown as Record<Question["type"], Erased>;

/** The names of all question types, in the contract's order. */
export const questionTypes = Object.freeze(Object.keys(types)) as readonly QuestionTypeName[];

/** The fields that an agent may send for each type. */
export const questionFields: Readonly<Record<QuestionTypeName, readonly string[]>> = Object.freeze(
  Object.fromEntries(questionTypes.map((name) => [name, Object.freeze(Object.keys(types[name].input.shape))])) as unknown as Record<
    QuestionTypeName,
    readonly string[]
  >,
);

const isKnown = (type: string) => Object.hasOwn(types, type);

type Inputs = Types[QuestionTypeName]["input"];
const inputs = Object.values(types).map(({ input }) => input) as [Inputs, ...Inputs[]];

/** A question as an agent sends it: the `ask_user` contract's `QuestionInfo` and askbox's own fields. Without a type it is a text. */
export const questionInputSchema = z.discriminatedUnion("type", inputs);

type Stored = Types[QuestionTypeName]["schema"] | (typeof unknown)["schema"];
const schemas = Object.values({ ...types, unknown }).map(({ schema }) => schema) as [Stored, ...Stored[]];

/** A question as it is stored. One of a type that only a newer askbox knows is read as `unknown`, and loses nothing by it. */
export const questionSchema = z.preprocess(knownOrWrapped(isKnown), z.discriminatedUnion("type", schemas));

/** Reads one question of an ask. Throws `QuestionRefusal` when it cannot be asked. */
export function parseQuestion(input: QuestionInput, id: string): Question {
  return asked[input.type ?? "text"].parse(input, id) as Question;
}

/** The answer as a person would read it; empty when the question was skipped. */
export function answerText(question: Question, answer: Answer): string {
  return stored[question.type].text(question, answer);
}

/** What is to be given, in a few English words: `a number from 1 to 10`. */
export function expectedAnswer(question: Question): string {
  return stored[question.type].expects(question);
}

/** A question that is answered by typing one value. */
export type TypedQuestion = z.output<Extract<Types[QuestionTypeName], { typed: true }>["schema"]>;

export function isTyped(question: Question): question is TypedQuestion {
  return stored[question.type].typed === true;
}

/** What a person picks from, with English labels; undefined if there is nothing to pick. Other is not among it. */
export function offeredOptions(question: Question): readonly OfferedOption[] {
  return stored[question.type].offers?.(question) ?? [];
}

/** The answer as it would be kept: numbers in their one form, and nothing around what has a format. */
export function tidyAnswer(question: Question, answer: Answer): Answer {
  return stored[question.type].tidy?.(question, answer) ?? answer;
}

/** What is wrong with one answer, with a code for surfaces that say it in their own words; undefined if it is valid. */
export function answerProblem(question: Question, answer: Answer): AnswerProblem | undefined {
  return stored[question.type].check(question, tidyAnswer(question, answer));
}

/** What is wrong with one answer, as a sentence; undefined if it is valid. */
export function checkAnswer(question: Question, answer: Answer): string | undefined {
  return answerProblem(question, answer)?.message;
}

export type CheckedAnswers = { ok: true; answers: Answer[] } | { ok: false; issues: AnswerIssue[] };

/**
 * Checks what a person sent against the questions. When all is valid, the result holds one tidied answer for each
 * question, in the questions' order; an optional question that was left out is answered with `values: []`.
 */
export function checkAnswers(questions: readonly Question[], given: readonly Answer[]): CheckedAnswers {
  const issues: AnswerIssue[] = [];
  const byId = new Map<string, Answer>();
  const known = new Set(questions.map((question) => question.id));
  for (const answer of given) {
    const questionId = answer.questionId;
    if (!known.has(questionId)) issues.push({ questionId, message: "No question of this session has this id." });
    else if (byId.has(questionId)) issues.push({ questionId, message: "This question is answered twice." });
    byId.set(questionId, answer);
  }
  const answers = questions.map((question): Answer => {
    const answer = byId.get(question.id) ?? { questionId: question.id, values: [] };
    const message = checkAnswer(question, answer);
    if (message !== undefined) issues.push({ questionId: question.id, message });
    const tidied = tidyAnswer(question, answer);
    return { ...tidied, values: [...tidied.values] };
  });
  return issues.length === 0 ? { ok: true, answers } : { ok: false, issues };
}

export { moveDate } from "./calendar.ts";
export type { ConfirmQuestion } from "./confirm.ts";
export type { DateQuestion } from "./date.ts";
export type { MultiSelectQuestion } from "./multi-select.ts";
export type { NumberQuestion } from "./number.ts";
export type { ChoiceQuestion, Option } from "./options.ts";
export { type AnswerProblem, type AnswerProblemCode, type OfferedOption, QuestionRefusal } from "./question-type.ts";
export type { RatingQuestion } from "./rating.ts";
export type { SelectQuestion } from "./select.ts";
export type { TextQuestion } from "./text.ts";
export { type TextFormat, textFormats } from "./text-format.ts";
export type { UnknownQuestion } from "./unknown.ts";
/** Whether the answer skips its question. */
export { isSkipped };
