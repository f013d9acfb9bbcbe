import type { SessionView } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import type { EndingKind } from "@askbox/core/stores";

/** Undefined for a pending session. */
export function outcomeKindOf(session: SessionView): EndingKind | "denied" | undefined {
  const { outcome } = session;
  if (isDenied(session)) return "denied";
  if (outcome?.kind === "cancelled" && outcome.by.surface === "asker") return "withdrawn";
  return outcome?.kind;
}

/** Whether an action was denied. */
export function isDenied({ questions, outcome }: SessionView): boolean {
  if (outcome?.kind !== "answered") return false;
  const values = new Map(outcome.answers.map(({ questionId, values }) => [questionId, values]));
  return questions.some(
    (question) =>
      traitsOf(question).picks === "decision" &&
      offeredOptions(question).some(({ value, shortcut }) => shortcut === "no" && values.get(question.id)?.includes(value)),
  );
}
