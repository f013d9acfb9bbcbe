import type { Question } from "@askbox/core";
import { changedInput } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import { fieldOf, questionOf } from "./form-items.ts";
import type { Turn } from "./turn.ts";

/** Opens the arguments of the action in an editor, if the agent takes changed ones. Returns whether it does. */
export function editArguments(turn: Turn, form: FormState): boolean {
  const question = questionOf(form);
  const text = question === undefined ? undefined : argumentsText(form, question);
  if (question === undefined || text === undefined) return false;
  turn.do({ kind: "editArguments", session: form.session.id, questionId: question.id, text });
  return true;
}

/** The arguments as they are to be allowed, as JSON; undefined if they can't be changed. */
export function argumentsText(form: FormState, question: Question): string | undefined {
  if (!("action" in question) || question.editable !== true || question.action.input === undefined) return undefined;
  return fieldOf(form, question).input ?? JSON.stringify(question.action.input, undefined, 2);
}

/** Takes the arguments back from the editor. What is no JSON object is kept to be edited again, and can't be allowed. */
export function argumentsEdited(turn: Turn, session: string, questionId: string, text: string): void {
  const form = turn.seen.form(session);
  const question = form?.session.questions.find(({ id }) => id === questionId);
  if (form === undefined || question === undefined || turn.ui.open !== session) return;
  const changed = changedInput(question, { ...fieldOf(form, question), input: text });
  const isSame = changed !== undefined && changed.input === undefined;
  turn.set({ scroll: 0 });
  turn.edit(question, { kind: "input", input: isSame ? undefined : text });
  if (changed === undefined) return turn.say("The arguments must be a JSON object. Edit them again to correct this.", "error");
  turn.say(isSame ? "The arguments are as the agent asked." : "Changed. Read them, then allow them once.", "success");
}
