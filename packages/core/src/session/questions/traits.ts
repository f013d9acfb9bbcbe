import type * as z from "zod";
import type { Answer } from "../answer.ts";
import { type FormValue, given, type OfferedOption, type Picks } from "./question-type.ts";
import { type Question, type QuestionTypeName, type Types, typeOf } from "./types.ts";
import type { unknown } from "./unknown.ts";

/** What a question is drawn as, for surfaces that draw. `notice` stands for a type that cannot be answered here. */
export type Widget = ReturnType<(Types[QuestionTypeName] | typeof unknown)["widget"]>;

/** What a question is, for surfaces: by these they handle all types alike, those to come included, and never by a type's name. */
export interface QuestionTraits {
  /** What is picked from `offeredOptions`; undefined where nothing is. */
  picks?: Picks;
  /** Whether a person types `words` of their own or a `value` of some form; undefined where nothing is typed. */
  typed?: "words" | "value";
  widget: Widget;
  /** How it goes into a form, where its answer is one value; what is only picked is a choice of the form. */
  formField?: FormValue;
  /** What stands for the answer in a command line that is shown. */
  metavar: string;
  /** Whether the answer holds for this one ask, and is never given to an equal one that comes later. */
  singleUse?: true;
}

/** What the question is, for surfaces, which have no other way to tell types apart. */
export function traitsOf(question: Question): QuestionTraits {
  const { picks, typed, singleUse, widget, formField, metavar } = typeOf(question);
  return given({
    picks,
    typed,
    singleUse,
    widget: widget(question),
    formField: formField?.(question),
    metavar: metavar(question),
  }) as QuestionTraits;
}

/** A question that is answered by typing one value. */
export type TypedQuestion = z.output<Extract<Types[QuestionTypeName], { typed: "words" | "value" }>["schema"]>;

/** Whether a person types the answer, as with a text, a number or a date. */
export function isTyped(question: Question): question is TypedQuestion {
  return typeOf(question).typed !== undefined;
}

/** Whether a text of the person's own is taken beside, or instead of, what is offered. */
export function takesOther(question: Question): boolean {
  return typeOf(question).picks !== undefined && "allowOther" in question && question.allowOther;
}

/** What a person picks from, with English labels; empty if there is nothing to pick. Other is not among it. */
export function offeredOptions(question: Question): readonly OfferedOption[] {
  return typeOf(question).offers?.(question) ?? [];
}

/** The answer as a person would read it; empty when the question was skipped. */
export function answerText(question: Question, answer: Answer): string {
  return typeOf(question).text(question, answer);
}

/** What is to be given, in a few English words: `a number from 1 to 10`. */
export function expectedAnswer(question: Question): string {
  return typeOf(question).expects(question);
}
