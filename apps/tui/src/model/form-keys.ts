import type { FormState } from "@askbox/inbox";
import { formCommand, type KeyActionName } from "@askbox/inbox/commands";
import type { KeyPress } from "../editor/editor.ts";
import { submit } from "./advance.ts";
import { answerKey } from "./answer-keys.ts";
import { editArguments } from "./arguments.ts";
import { startFollowUp, startMessage } from "./ask-back.ts";
import { startAttaching } from "./attaching.ts";
import { openDocument } from "./document-keys.ts";
import { fieldOf, hasPictures, questionOf } from "./form-items.ts";
import { undoLast } from "./held.ts";
import { startAlways, startSnooze } from "./menus.ts";
import { followReplaced, goTo, leave, open, preview, toAnswer } from "./navigate.ts";
import { questionText } from "./question-text.ts";
import { scrollKey } from "./scroll-keys.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { canStart } from "./ui-state.ts";
import { unsentText } from "./unsent.ts";
import { outcomeWords } from "./words.ts";

/** Keys while the form has the focus and no text field does. */
export function formKey(turn: Turn, { name }: KeyPress): void {
  const form = turn.form();
  if (form === undefined) return open(turn, undefined);
  if (form.phase === "settled") return settledKey(turn, form, name);
  if (scrollKey(turn, name)) return;
  if (turn.is(name, "back")) return backToList(turn, form);
  if (turn.is(name, "copy")) return turn.do({ kind: "copy", text: questionText(form) });
  if (turn.is(name, "quit")) return leave(turn);
  if (turn.is(name, "read")) return read(turn, form);
  if (turn.is(name, "moreTime") && form.mode === "answer") return turn.set({ overlay: { kind: "moreTime", item: 0 } });
  if (turn.is(name, "snooze")) return startSnooze(turn);
  if (form.phase === "scheduled" && turn.is(name, "undo")) return turn.do({ kind: "recall", session: form.session.id });
  if (turn.is(name, "undo") && undoLast(turn)) return;
  if (form.phase === "editing" && turn.is(name, "editor") && editArguments(turn, form)) return;
  if (form.phase === "editing" && !answerKey(turn, form, name)) setKey(turn, form, name);
}

/** Shows what belongs to the question: its document, its pictures, or else its previews. */
function read(turn: Turn, form: FormState): void {
  const question = questionOf(form);
  if (openDocument(turn)) return;
  if (hasPictures(form, question, turn.seen.showsPictures))
    return turn.do({ kind: "showPictures", id: form.session.id, questionId: question?.id });
  turn.set({ overlay: { kind: "reader", top: 0 } });
}

/** The keys for the whole session that also work in a text field, unless they type a character. */
export const setActionsInText = ["review", "note", "attach", "comment", "skip", "askBack", "cancel"] as const;
const setActions = ["next", "previous", "always", "recommended", "earlier", ...setActionsInText] as const satisfies KeyActionName[];

/** Keys for the whole session. */
function setKey(turn: Turn, form: FormState, name: string): void {
  const question = questionOf(form);
  const earlier = form.session.earlierAnswer?.answers.find(({ questionId }) => questionId === question?.id);
  switch (turn.seen.keymap.find(name, setActions)) {
    case "next":
      if (form.step < form.steps - 1) goTo(turn, form.step + 1);
      return;
    case "previous":
      if (form.step > 0) goTo(turn, form.step - 1);
      return;
    case "review":
      if (form.steps === 1 || question === undefined) return submit(turn);
      return goTo(turn, form.steps - 1);
    case "always":
      return formCommand("always", form, question) === undefined ? undefined : startAlways(turn, form);
    case "recommended":
      if (question !== undefined) turn.edit(question, { kind: "recommended" });
      return formCommand("recommended", form, question) === undefined ? undefined : toAnswer(turn);
    case "earlier":
      turn.do({ kind: "earlier", session: form.session.id });
      return earlier === undefined ? undefined : toAnswer(turn, { values: earlier.values, other: earlier.customText !== undefined });
    case "note":
      return question === undefined ? undefined : startEditing(turn, { kind: "note", questionId: question.id });
    case "attach":
      return startAttaching(turn, form);
    case "comment":
      if (form.steps > 1 && question !== undefined) goTo(turn, form.steps - 1);
      return startEditing(turn, { kind: "comment" });
    case "skip":
      return skip(turn, form);
    case "askBack":
      return startMessage(turn, form);
    case "cancel":
      if (form.mode === "reply") return turn.say("The agent has already been told that nobody answered in time.");
      return startEditing(turn, { kind: "reason" });
    default:
      return;
  }
}

function skip(turn: Turn, form: FormState): void {
  const question = questionOf(form);
  if (question === undefined) return;
  if (question.required) return turn.say("This question needs an answer; it cannot be skipped.", "warning");
  const skipped = !fieldOf(form, question).skipped;
  turn.edit(question, { kind: "skip", skipped });
  if (skipped && form.steps > 1) goTo(turn, form.step + 1);
}

/** A settled session accepts only the keys for scrolling, copying and leaving, so that someone still typing triggers nothing else. */
function settledKey(turn: Turn, form: FormState, name: string): void {
  if (scrollKey(turn, name)) return;
  if (turn.is(name, "copy")) {
    const text = unsentText(form, turn.ui);
    return text === undefined || turn.seen.look.typing.isGoingOn ? undefined : turn.do({ kind: "copy", text });
  }
  if (turn.is(name, "askBack")) return turn.seen.look.typing.isGoingOn ? undefined : startFollowUp(turn, form);
  if (turn.is(name, "wake") && canStart(turn.ui, form.session.id)) {
    return turn.seen.look.typing.isGoingOn ? undefined : turn.do({ kind: "wake", id: form.session.id });
  }
  if (turn.is(name, "back") || turn.is(name, "confirm")) return closeSettled(turn);
  const { bodyTop } = turn.seen.viewport;
  if (name === "up" || name === "down") turn.set({ scroll: Math.max(0, bodyTop + (name === "up" ? -1 : 1)) });
}

/** Shows the outcome again: Enter may have been meant to send an answer that is no longer needed. */
function closeSettled(turn: Turn): void {
  const session = turn.session();
  if (session !== undefined && followReplaced(turn, session)) return;
  if (turn.seen.once) return leave(turn);
  backToList(turn, undefined);
  if (session !== undefined && turn.ui.view === "inbox") turn.say(`${outcomeWords(session)}.`);
}

function backToList(turn: Turn, form: FormState | undefined): void {
  if (turn.seen.once) return leave(turn);
  turn.focus(undefined);
  turn.set({ focus: "list", editing: undefined, item: 0, scroll: 0 });
  const isStarted =
    form !== undefined && (form.progress.answered > 0 || form.comment !== "" || form.reason !== "" || form.files !== undefined);
  if (isStarted) turn.say("Your draft is kept.");
  preview(turn);
}
