import * as z from "zod";
import type { Answer } from "../answer.ts";
import { limits } from "../limits.ts";

/** What an agent may send for a question of any type. */
export const questionInputBase = z.object({
  id: z.string().optional(),
  question: z.string().min(limits.questionLength.min).max(limits.questionLength.max),
  required: z.boolean().default(true),
  header: z.string().optional(),
});
export type QuestionInputBase = z.infer<typeof questionInputBase>;

/** What every question has, as it is stored. */
export const questionBase = z.object({
  id: z.string(),
  /** The question itself; basic markdown. */
  question: z.string(),
  /** Whether it must be answered; a question that need not be may be skipped. */
  required: z.boolean(),
  /** A short chip beside the question. */
  header: z.string().optional(),
});
export type QuestionBase = z.infer<typeof questionBase>;

/** What every type makes of the parts that all questions share. */
export function baseOf(input: QuestionInputBase, id: string): QuestionBase {
  return { id, question: input.question, required: input.required, ...given({ header: input.header }) };
}

/** The parts that are there, without those that are undefined. */
export function given<Parts extends Record<string, unknown>>(parts: Parts): { [Key in keyof Parts]?: Exclude<Parts[Key], undefined> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Parts]?: Exclude<Parts[Key], undefined>;
  };
}

/** One of the values that a question is answered with by picking it. */
export interface OfferedOption {
  /** What the agent receives. */
  value: string;
  label: string;
  description?: string | undefined;
  /** The agent's own advice. Shown, never preselected. */
  recommended?: boolean | undefined;
  /** Markdown or code that shows what choosing it would mean. */
  preview?: string | undefined;
  /** The action whose key picks it, before that key means anything else; in a shell its first letter stands for it too. */
  shortcut?: "yes" | "no" | "allow" | undefined;
}

/**
 * What a person does with the offered options: takes one, takes any number, or puts all of them in an order. A `decision` takes one too, but never by Enter alone, a digit or an
 * answer of before, and never in a form of the asker's own.
 */
export type Picks = "one" | "many" | "order" | "decision";

/** One value as a field of a form, in the words of JSON Schema. */
export type FormValue =
  | { type: "string"; format?: "email" | "uri" | "date" | "date-time"; minLength?: number; maxLength?: number }
  | { type: "number" | "integer"; minimum?: number; maximum?: number };

/**
 * One type of question: how it is read from an ask, how an answer to it is checked, how it reads as text, and its traits. It is `typed`, or
 * what it `offers` is picked. `docs/question-types.md` leads through adding one.
 */
export interface QuestionType<Name extends string, Input, Question extends QuestionBase & { type: Name }> {
  readonly type: Name;
  readonly picks?: Picks;
  readonly typed?: "words" | "value";
  readonly singleUse?: true;
  /** What other agents' ask tools call it, in lower case. */
  readonly aliases?: readonly string[];
  /** What it is drawn as, by a word in lower case; a type may share another's. `Widget` is made of these words. */
  widget(question: Question): Lowercase<string>;
  formField?(question: Question): FormValue;
  metavar(question: Question): string;
  /** What an agent sends. Fields that are not in it are stripped. */
  readonly input: z.ZodType<Input>;
  /** The stored question. */
  readonly schema: z.ZodType<Question>;
  /** Reads a question of this type from an ask. Throws `QuestionRefusal` when it cannot be one. */
  parse(input: Input, id: string): Question;
  /** The answer in its one written form, where a person may write it in several: what is checked, and kept. */
  tidy?(question: Question, answer: Answer): Answer;
  /** What is wrong with the tidied answer; undefined if it is valid. */
  check(question: Question, answer: Answer): AnswerProblem | undefined;
  /** The answer as a person would read it; empty when it was skipped. */
  text(question: Question, answer: Answer): string;
  /** What is to be given, in a few words that begin in lower case: `a number from 1 to 10`. */
  expects(question: Question): string;
  /** What a person picks from, in the order of its keys, with English labels; for surfaces that have no widget of their own for the type. */
  offers?(question: Question): readonly OfferedOption[];
}

/** A question that cannot be asked. The message is a clause that follows the question's path, or a sentence that stands alone. */
export class QuestionRefusal extends Error {
  readonly standsAlone: boolean;

  constructor(message: string, { standsAlone = false } = {}) {
    super(message);
    this.standsAlone = standsAlone;
  }
}

/** Why an answer is not valid, for surfaces that say it in their own words. */
export type AnswerProblemCode =
  | "required"
  | "blank"
  | "blank_other"
  | "shape"
  | "not_an_option"
  | "too_few_choices"
  | "too_many_choices"
  | "too_short"
  | "too_long"
  | "not_an_email"
  | "not_a_url"
  | "not_a_date_time"
  | "not_a_number"
  | "ambiguous_number"
  | "too_precise"
  | "not_whole"
  | "too_small"
  | "too_large"
  | "not_a_date"
  | "too_early"
  | "too_late"
  | "not_a_rating"
  | "unknown_type"
  | "unknown_question"
  | "answered_twice";

/** What is wrong with an answer. */
export interface AnswerProblem {
  code: AnswerProblemCode;
  /** One English sentence for the person. */
  message: string;
  /** The limit that was not kept, where there is one. */
  limit?: string;
}

/** What is wrong with the answer to one question. */
export interface AnswerIssue extends AnswerProblem {
  questionId: string;
}

export const problem = (code: AnswerProblemCode, message: string, limit?: string | number): AnswerProblem => ({
  code,
  message,
  ...(limit === undefined ? {} : { limit: String(limit) }),
});

/** An answer that says nothing: how a question is skipped. */
export function isSkipped(answer: Pick<Answer, "values" | "customText">): boolean {
  return answer.values.length === 0 && answer.customText === undefined;
}

export const mustBeAnswered = (): AnswerProblem => problem("required", "An answer is required.");
export const isBlank = (text: string): boolean => text.trim() === "";

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Limits in words: `from 1 to 10`, `from 1`, `up to 10`; empty where there are none. */
export function rangeText(min: string | number | undefined, max: string | number | undefined): string {
  if (min === undefined) return max === undefined ? "" : ` up to ${max}`;
  return max === undefined ? ` from ${min}` : ` from ${min} to ${max}`;
}
