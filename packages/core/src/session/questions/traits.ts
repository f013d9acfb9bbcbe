import type { z } from "zod";
import type { Answer } from "../answer.ts";
import { given, type OfferedOption, type QuestionTraits } from "./question-type.ts";
import { type Question, type QuestionTypeName, type Types, typeOf } from "./types.ts";

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
