import { defined } from "../../objects.ts";
import { allImages } from "../all-images.ts";
import type { Answer } from "../answer.ts";
import type { FormValue, OfferedOption, Picks } from "./question-type.ts";
import type { Question, QuestionOf, QuestionTypeName } from "./schemas.ts";
import { type Types, typeOf, type unknown } from "./types.ts";

/** The widget for a question, for surfaces with a UI. `notice` is for a type that cannot be answered here. */
export type Widget = ReturnType<(Types[QuestionTypeName] | typeof unknown)["widget"]>;

/**
 * A question's properties, for surfaces: with these they handle all types alike, including future ones, and never compare a type's name.
 */
export interface QuestionTraits {
  /** How a person picks from `offeredOptions`; undefined if there are none. */
  picks?: Picks;
  /** Whether a person types `words` of their own or a `value` in some format; undefined if nothing is typed. */
  typed?: "words" | "value";
  widget: Widget;
  /** Its form field, if the answer is one value; a question with options only becomes a choice. */
  formField?: FormValue;
  /** The placeholder for the answer in an example command. */
  metavar: string;
  /** Whether the answer is valid for this ask only, and is never reused for an equal one later. */
  singleUse?: true;
  /** Whether the answer is files, which are attached. */
  attached?: true;
  /** Whether it has a document or pictures, so that nothing that cannot show all of it takes an answer. */
  readFirst?: true;
}

/** A question's traits; surfaces have no other way to distinguish types. */
export function traitsOf(question: Question): QuestionTraits {
  const { picks, typed, singleUse, readFirst, attached, widget, formField, metavar } = typeOf(question);
  return defined({
    picks,
    typed,
    singleUse,
    readFirst: readFirst ?? (allImages([question])[0] && true),
    attached,
    widget: widget(question),
    formField: formField?.(question),
    metavar: metavar(question),
  }) as QuestionTraits;
}

/** A question whose answer is one typed value. */
export type TypedQuestion = QuestionOf<Extract<Types[QuestionTypeName], { typed: "words" | "value" }>["type"]>;

/** Whether a person types the answer, as for a text, a number or a date. */
export function isTyped(question: Question): question is TypedQuestion {
  return typeOf(question).typed !== undefined;
}

/** Whether a text in the person's own words is accepted in addition to, or instead of, the options. */
export function takesOther(question: Question): boolean {
  return typeOf(question).picks !== undefined && "allowOther" in question && question.allowOther;
}

/** The options with English labels; empty if there are none. Other is not included. */
export function offeredOptions(question: Question): readonly OfferedOption[] {
  return typeOf(question).offers?.(question) ?? [];
}

/** The answer as readable text, then the names of its files in brackets; empty if the question was skipped. */
export function answerText(question: Question, answer: Answer): string {
  const names = (answer.files ?? []).map(({ name }) => `[${name}]`);
  return [typeOf(question).text(question, answer), ...names].filter((part) => part !== "").join(" ");
}

/** What to enter, in a few English words: `a number from 1 to 10`. */
export function expectedAnswer(question: Question): string {
  return typeOf(question).expects(question);
}
