import type { Question } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { emptyField, type FormState } from "@askbox/react";

/** The minimum time to undo an answer sent by a pick, in seconds, whatever the setting for other answers. */
export const minUndoSeconds = 3;

/** A repeated press of the same key within this many ms after a pick is treated as one press. */
const doublePress = 400;

/** Whether picking completes the answer: one option of several, in an answer that can be undone. */
export function isAnsweredByPick(question: Question, { fields, layout, mode, steps, phase }: FormState): boolean {
  const { values, other } = fields[question.id] ?? emptyField;
  if (mode === "reply" || phase !== "editing" || (layout === "page" && steps > 1)) return false;
  const { picks, readFirst } = traitsOf(question);
  return picks === "one" && !readFirst && values.length === 1 && !other;
}

/** The last pick that moved to another question. */
let last: { how: string; at: number } | undefined;

/** Records a pick by the name of a key, or by a `pointer`; `at` is the time stamp of its event. */
export function notePick(how: string, at: number): void {
  last = { how, at };
}

/** Whether a key press belongs to the previous pick: it came before the next question was visible. */
export function isSamePress(key: string, at: number): boolean {
  return last !== undefined && last.how === key && at - last.at < doublePress;
}

/** Whether a click is the second one of a double click whose first was a pick. */
export function isSecondClick({ detail }: { detail: number }): boolean {
  return detail > 1 && last?.how === "pointer";
}
