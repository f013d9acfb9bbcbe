import type { Question } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { emptyField, type FormState } from "@askbox/react";

/** Seconds that an answer sent by its pick can be undone at least, whatever is set for others. */
export const minUndoSeconds = 3;

/** A second press of the same key within this many ms after a pick has gone on is taken for one press. */
const doublePress = 400;

/** Whether picking answers the question by itself: one option of several, in an answer that can be undone. */
export function isAnsweredByPick(question: Question, { fields, layout, mode, steps, phase }: FormState): boolean {
  const { values, other } = fields[question.id] ?? emptyField;
  if (mode === "reply" || phase !== "editing" || (layout === "page" && steps > 1)) return false;
  return traitsOf(question).picks === "one" && values.length === 1 && !other;
}

/** The last pick that went on to another question. */
let last: { how: string; at: number } | undefined;

/** Notes a pick by a key's name, or by a `pointer`; `at` is the time stamp of its event. */
export function notePick(how: string, at: number): void {
  last = { how, at };
}

/** Whether a key belongs to the pick before it: the hand was quicker than the page, and the next question is not what it was meant for. */
export function isSamePress(key: string, at: number): boolean {
  return last !== undefined && last.how === key && at - last.at < doublePress;
}

/** Whether a click is the second one of a double click that picked with its first. */
export function isSecondClick({ detail }: { detail: number }): boolean {
  return detail > 1 && last?.how === "pointer";
}
