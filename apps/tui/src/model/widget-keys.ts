import { offeredOptions, type Question } from "@askbox/core";
import { optionOfDigit } from "@askbox/react";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";

/** Keys of a kind of question. They come before the form's own, and look at what a question offers, not at its type's name. */
export interface WidgetKeys {
  /** Returns whether the key was used. */
  press(turn: Turn, question: Question, name: string): boolean;
}

/** `y` and `n`, if these are the two things to choose from. */
const yesOrNo: WidgetKeys = {
  press(turn, question, name) {
    const values = offeredOptions(question).map(({ value }) => value);
    const value = values.join() === "yes,no" ? turn.seen.keymap.find(name, ["yes", "no"] as const) : undefined;
    if (value !== undefined) choose(turn, question, values.indexOf(value));
    return value !== undefined;
  },
};

/** Digits, for the options in their order; the one after the last is Other's. */
const numbered: WidgetKeys = {
  press(turn, question, name) {
    const count = offeredOptions(question).length;
    const other = "allowOther" in question && question.allowOther;
    const digit = optionOfDigit(name, other ? count + 1 : count);
    if (digit !== undefined && digit < count) choose(turn, question, digit);
    else if (other && (digit === count || turn.is(name, "other"))) startEditing(turn, { kind: "other", questionId: question.id });
    else return false;
    return true;
  },
};

/** A type with keys of its own adds them here. */
const widgets: readonly WidgetKeys[] = [yesOrNo, numbered];

export const widgetKey = (turn: Turn, question: Question, name: string): boolean =>
  widgets.some(({ press }) => press(turn, question, name));

function choose(turn: Turn, question: Question, index: number): void {
  const option = offeredOptions(question)[index];
  if (option === undefined) return;
  turn.edit(question, { kind: "choose", value: option.value });
  turn.set({ item: index, scroll: undefined });
}
