import type { Question } from "@askbox/core";
import type { FormState } from "@askbox/react";
import { fieldOf, questionOf } from "./form-items.ts";
import type { Turn } from "./turn.ts";

/** Opens the arguments of the action in an editor, if the agent takes changed ones. Returns whether it does. */
export function editArguments(turn: Turn, form: FormState): boolean {
  const question = questionOf(form);
  const text = question === undefined ? undefined : argumentsText(form, question);
  if (question === undefined || text === undefined) return false;
  turn.do({ kind: "editArguments", session: form.session.id, questionId: question.id, text: turn.ui.badArguments[question.id] ?? text });
  return true;
}

/** The arguments as they are to be allowed, as JSON; undefined if they can't be changed. */
export function argumentsText(form: FormState, question: Question): string | undefined {
  if (!("action" in question) || question.editable !== true || question.action.input === undefined) return undefined;
  return JSON.stringify(fieldOf(form, question).input ?? question.action.input, undefined, 2);
}

/** Takes the arguments back from the editor. A text that is no JSON object changes nothing, and is opened again the next time. */
export function argumentsEdited(turn: Turn, session: string, questionId: string, text: string): void {
  const { badArguments } = turn.ui;
  const form = turn.seen.form(session);
  const question = form?.session.questions.find(({ id }) => id === questionId);
  if (question === undefined || !("action" in question) || turn.ui.open !== session) return;
  const input = objectIn(text);
  if (input === undefined) {
    turn.set({ badArguments: { ...badArguments, [questionId]: text } });
    return turn.say("The arguments must be a JSON object; nothing was changed. Edit them again to correct this.", "error");
  }
  turn.set({ badArguments: { ...badArguments, [questionId]: undefined }, scroll: 0 });
  const isSame = JSON.stringify(input) === JSON.stringify(question.action.input);
  turn.edit(question, { kind: "input", input: isSame ? undefined : input });
  turn.say(isSame ? "The arguments are as the agent asked." : "Changed. Read them, then allow them once.", "success");
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
