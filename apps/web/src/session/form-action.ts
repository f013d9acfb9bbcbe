import type { Question } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import type { FieldEdit, FormState } from "@askbox/inbox";
import { type FormCommand, formCommand, type KeyActionName } from "@askbox/inbox/commands";
import { keymap } from "../ui/keyboard.ts";
import { pickOfDigit } from "../widgets/widget.ts";

/** A key press, and what it depends on besides the form. */
export interface FormPress {
  key: string;
  /** With Shift and a digit's key, which types another character: `shift+1`. */
  shifted: string | undefined;
  is(action: KeyActionName): boolean;
  /** Whether the key is held down, or came so soon that it is meant for the previous pick, or for what was just sent. */
  repeats: "held" | "soon" | false;
  /** Whether the focused element handles Enter itself. */
  onControl: boolean;
  /** The id of the question with the focus. */
  focused: string | undefined;
  /** Whether something sent or declined earlier can still be undone. */
  hasBefore: boolean;
}

/** What a key does in an open session. */
export type FormAction =
  | { does: "nothing" | "leave" | "confirm" | "undo" | "undo before" | "open next" }
  | { does: "decline" | "earlier" | "comment" | "ask back" | "more time" }
  | { does: "go to"; step: number }
  | { does: "decide"; question: Question; decision: "allow" | "deny" }
  /** Of an action: offers to allow it from now on, or says which keys decide. */
  | { does: "always" | "tell keys"; question: Question }
  /** `picks` if the edit may complete the answer; `index` is that of the option whose digit it was. */
  | { does: "edit"; question: Question; edit: FieldEdit; picks?: boolean; index?: number }
  | { does: "note" | "read"; question: Question }
  /** Without a question, to the comment. */
  | { does: "attach"; question: Question | undefined };

/** The action of a key; undefined if the form has none for it now. */
export function formAction(state: FormState, press: FormPress): FormAction | undefined {
  const { is, key, repeats } = press;
  const { phase } = state;
  if (is("back")) return { does: "leave" };
  // A key that answers or continues must not hit the next question.
  if (repeats === "held" && ([...key].length === 1 || is("confirm"))) return { does: "nothing" };
  if (is("undo") && phase === "scheduled") return { does: "undo" };
  if (is("undo") && press.hasBefore) return { does: "undo before" };
  if (repeats === "soon") return { does: "nothing" };
  if (is("confirm") && (phase === "scheduled" || phase === "settled")) return isOfControl(press) ? undefined : { does: "open next" };
  return phase === "editing" ? (sessionAction(state, press) ?? questionAction(state, press)) : undefined;
}

const isOfControl = ({ key, onControl }: FormPress): boolean => key === "enter" && onControl;

/** Keys for the whole session. */
function sessionAction(state: FormState, press: FormPress): FormAction | undefined {
  const { is } = press;
  const { layout, step } = state;
  const bySteps = layout === "steps";
  // What follows a page of several questions is about the whole set.
  const applies = (name: FormCommand) => is(name) && formCommand(name, { ...state, step: 0 }, undefined) !== undefined;
  if (applies("cancel")) return { does: "decline" };
  if (is("next") && bySteps) return { does: "go to", step: step + 1 };
  if (is("previous") && bySteps) return { does: "go to", step: step - 1 };
  if (applies("earlier")) return { does: "earlier" };
  if (applies("comment")) return { does: "comment" };
  if (applies("askBack")) return { does: "ask back" };
  if (applies("moreTime")) return { does: "more time" };
  return is("confirm") && !isOfControl(press) ? { does: "confirm" } : undefined;
}

/** Keys for the question that the press applies to. */
function questionAction(state: FormState, { is, key, shifted, focused }: FormPress): FormAction | undefined {
  const question = activeQuestion(state, focused);
  const applies = (name: FormCommand) => is(name) && formCommand(name, state, question) !== undefined;
  if (question === undefined) return is("attach") ? { does: "attach", question } : undefined;
  const edit = (edit: FieldEdit): FormAction => ({ does: "edit", question, edit });
  if (applies("allow") || applies("no")) return { does: "decide", question, decision: is("allow") ? "allow" : "deny" };
  if (applies("always")) return { does: "always", question };
  if (is("yes") && traitsOf(question).picks === "decision") return { does: "tell keys", question };
  const shortcut = keymap.find(key, ["yes", "no"] as const);
  const answer = offeredOptions(question).find((option) => option.shortcut !== undefined && option.shortcut === shortcut);
  if (answer !== undefined) return { does: "edit", question, edit: { kind: "choose", value: answer.value }, picks: true };
  if (applies("recommended")) return edit({ kind: "recommended" });
  if (applies("skip")) return edit({ kind: "skip", skipped: state.fields[question.id]?.skipped !== true });
  if (applies("note")) return { does: "note", question };
  if (applies("attach")) return { does: "attach", question };
  if (is("other")) return edit({ kind: "other", other: true });
  if (is("read")) return { does: "read", question };
  const pick = pickOfDigit(state, question, shifted ?? key);
  return pick && { does: "edit", question, ...pick, picks: true };
}

/** The question that a key applies to: the one on the page; of several, the focused one, or else the first unanswered one. */
export function activeQuestion({ session, layout, step, fields }: FormState, focused: string | undefined): Question | undefined {
  if (layout === "steps") return session.questions[step];
  const isBlank = ({ id }: Question) => fields[id]?.values.length === 0 && !fields[id].other && !fields[id].skipped;
  return session.questions.find(({ id }) => id === focused) ?? session.questions.find(isBlank);
}
