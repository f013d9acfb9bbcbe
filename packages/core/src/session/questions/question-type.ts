import { defined } from "../../objects.ts";
import type { Answer } from "../answer.ts";
import type { InputOf, QuestionBase, QuestionInputBase, QuestionOf, QuestionTypeName } from "./schemas.ts";

/** The shared fields after parsing, for every type. */
export function baseOf(input: QuestionInputBase, id: string): QuestionBase {
  return { id, question: input.question, required: input.required, ...defined({ header: input.header, images: input.images }) };
}

/** One of the values that a person can pick as the answer. */
export interface OfferedOption {
  /** What the agent receives. */
  value: string;
  label: string;
  description?: string | undefined;
  /** The agent's own recommendation. Shown, never preselected. */
  recommended?: boolean | undefined;
  /** Markdown or code that shows what choosing it would mean. */
  preview?: string | undefined;
  images?: QuestionBase["images"];
  /** The action whose key picks it, taking precedence over the key's usual meaning; in a shell its first letter works too. */
  shortcut?: "yes" | "no" | "allow" | undefined;
}

/**
 * What a person does with the offered options: pick one, pick any number, or order all of them. A `decision` picks one too, but never with
 * Enter alone, a digit or an earlier answer, and never in a form of the asker's own.
 */
export type Picks = "one" | "many" | "order" | "decision";

/** One value as a form field, in JSON Schema. */
export type FormValue =
  | { type: "string"; format?: "email" | "uri" | "date" | "date-time"; minLength?: number; maxLength?: number }
  | { type: "number" | "integer"; minimum?: number; maximum?: number };

/**
 * One type of question: how to parse it from an ask, validate its answers and format them as text, and its traits. Either the answer is
 * `typed`, a person picks what it `offers`, or it is `attached`. See `docs/question-types.md` for how to add one.
 */
export interface QuestionType<Question extends QuestionBase & { type: string }, Input> {
  readonly type: Question["type"];
  readonly picks?: Picks;
  readonly typed?: "words" | "value";
  readonly singleUse?: true;
  readonly readFirst?: true;
  readonly attached?: true;
  /** Names in other agents' ask tools, in lower case. */
  readonly aliases?: readonly string[];
  /** The widget that draws it, as a lower-case word; types may share one. `Widget` is the union of these words. */
  widget(question: Question): Lowercase<string>;
  formField?(question: Question): FormValue;
  metavar(question: Question): string;
  /** Parses a question of this type. Throws `QuestionRefusal` if it is not valid. */
  parse(input: Input, id: string): Question;
  /** Normalizes an answer that can be written in several ways, before it is validated and stored. */
  tidy?(question: Question, answer: Answer): Answer;
  /** What is wrong with the normalized answer; undefined if it is valid. */
  check(question: Question, answer: Answer): AnswerProblem | undefined;
  /** The answer as readable text; empty if it was skipped. */
  text(question: Question, answer: Answer): string;
  /** What to enter, in a few words that begin in lower case: `a number from 1 to 10`. */
  expects(question: Question): string;
  /** What a person picks from, in key order, with English labels; for surfaces without a widget for the type. */
  offers?(question: Question): readonly OfferedOption[];
}

/** A question type that can be asked. */
export type AskedType<Name extends QuestionTypeName> = QuestionType<QuestionOf<Name>, InputOf<Name>>;

/** A question that cannot be asked. The message is a clause that follows the question's path, or a complete sentence. */
export class QuestionRefusal extends Error {
  readonly standsAlone: boolean;

  constructor(message: string, { standsAlone = false } = {}) {
    super(message);
    this.standsAlone = standsAlone;
  }
}

/** Why an answer is not valid, for surfaces with their own wording. */
export type AnswerProblemCode =
  | "required"
  | "blank"
  | "blank_other"
  | "shape"
  | "not_an_option"
  | "too_few_choices"
  | "too_many_choices"
  | "too_many_files"
  | "file_too_large"
  | "not_accepted"
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
  /** The limit that was violated, if any. */
  limit?: string;
}

/** What is wrong with the answer to one question. */
export interface AnswerIssue extends AnswerProblem {
  questionId: string;
}

export const problem = (code: AnswerProblemCode, message: string, limit?: string | number): AnswerProblem => ({
  code,
  message,
  ...(limit !== undefined && { limit: String(limit) }),
});

/** An empty answer: how a question is skipped. */
export function isSkipped(answer: Pick<Answer, "values" | "customText">): boolean {
  return answer.values.length === 0 && answer.customText === undefined;
}

export const mustBeAnswered = (): AnswerProblem => problem("required", "An answer is required.");
export const isBlank = (text: string): boolean => text.trim() === "";

/** `1 item`, `2 items`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Limits in words: `from 1 to 10`, `from 1`, `up to 10`; empty if there are none. */
export function rangeText(min: string | number | undefined, max: string | number | undefined): string {
  if (min === undefined) return max === undefined ? "" : ` up to ${max}`;
  return max === undefined ? ` from ${min}` : ` from ${min} to ${max}`;
}
