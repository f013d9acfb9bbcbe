import type { Question } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { emptyField, type FormState } from "@askbox/inbox";
import { pageState } from "../ui/page-state.ts";

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
export const lastPickOn = pageState(({ clock }) => {
  let last: { how: string; at: number; hasMoved: boolean } | undefined;
  return {
    /** Records a pick by the name of a key, or by a `pointer`. */
    note(how: string): void {
      last = { how, at: clock.monotonic(), hasMoved: false };
    },
    /** Another question is on the screen, which takes a slow machine a while: the same key may have been pressed again meanwhile. */
    moved(): void {
      if (last !== undefined && !last.hasMoved) last = { ...last, at: clock.monotonic(), hasMoved: true };
    },
    /** Whether a key press belongs to the previous pick: it came before the next question could be read. */
    isSamePress: (key: string): boolean => last?.how === key && clock.monotonic() - last.at < doublePress,
    /** Whether a click is the second one of a double click whose first was a pick. */
    isSecondClick: ({ detail }: { detail: number }): boolean => detail > 1 && last?.how === "pointer",
  };
});
