import { offeredOptions, takesOther, traitsOf } from "@askbox/core";
import { type AnswerForm, type FormState, optionOfDigit } from "@askbox/react";
import type { KeyPress } from "../keys/key.ts";
import type { Action } from "../keys/keymap.ts";
import { copyQuestion, goOn, submit, undoAnswer } from "./actions.ts";
import type { App } from "./app.ts";
import { startEditing } from "./edit-keys.ts";
import { fieldOf, hasShortcuts, type Item, questionOf } from "./form-items.ts";
import { outcomeWords } from "./words.ts";

/** Keys while the form has them and no text is being typed. */
export function formKey(app: App, key: KeyPress): void {
  const form = app.form();
  if (form === undefined) return app.open(undefined);
  const state = form.getState();
  if (state.phase === "settled") return settledKey(app, key);
  const { keymap } = app.options;
  if (scrollKey(app, key)) return;
  if (keymap.is(key.name, "back")) return backToList(app, state);
  if (keymap.is(key.name, "copy") && !hasShortcuts(questionOf(state))) return void copyQuestion(app);
  if (keymap.is(key.name, "quit")) return app.leave();
  if (keymap.is(key.name, "read")) return app.set({ overlay: { kind: "reader", top: 0 } });
  if (keymap.is(key.name, "moreTime") && state.mode === "answer") return app.set({ overlay: { kind: "moreTime", item: 0 } });
  if (state.phase === "scheduled") return keymap.is(key.name, "undo") ? void undoAnswer(app) : undefined;
  if (state.phase !== "editing") return;
  if (answerKey(app, form, state, key)) return;
  sessionKey(app, form, state, key);
}

/** Keys that say something about the present question. */
function answerKey(app: App, form: AnswerForm, state: FormState, { name }: KeyPress): boolean {
  const { keymap } = app.options;
  const question = questionOf(state);
  const items = app.items(state);
  if (keymap.is(name, "up") || keymap.is(name, "down")) {
    moveItem(app, items, keymap.is(name, "up") ? -1 : 1);
    return true;
  }
  if (question === undefined) return reviewKey(app, state, items, name);
  const options = offeredOptions(question);
  const digit = optionOfDigit(name, options.length);
  const shortcut = keymap.find(name, ["yes", "no"] as const);
  const picked = options.find((option) => option.shortcut !== undefined && option.shortcut === shortcut);
  const value = digit === undefined ? picked?.value : options[digit]?.value;
  if (value !== undefined) {
    form.choose(question.id, value);
    app.set({ item: options.findIndex((option) => option.value === value), scroll: undefined });
    return true;
  }
  // The number after the last option is Other's.
  if (takesOther(question) && (keymap.is(name, "other") || optionOfDigit(name, options.length + 1) === options.length)) {
    startEditing(app, { kind: "other", questionId: question.id });
    return true;
  }
  const item = items[app.ui.item];
  if (keymap.is(name, "toggle") && item !== undefined) {
    pick(app, form, state, item, true);
    return true;
  }
  if (keymap.is(name, "confirm")) {
    confirm(app, form, state, item);
    return true;
  }
  return false;
}

/** Enter: picks what is under the cursor, else goes on. It never sends what it has just picked. */
function confirm(app: App, form: AnswerForm, state: FormState, item: Item | undefined): void {
  const question = questionOf(state);
  if (question === undefined || item === undefined) return goOn(app);
  const field = fieldOf(state, question);
  if (item.kind === "text" || item.kind === "note" || item.kind === "comment") return pick(app, form, state, item, false);
  if (item.kind === "other") return field.other && field.otherText.trim() !== "" ? goOn(app) : pick(app, form, state, item, false);
  const picksNow = item.kind === "option" && traitsOf(question).picks === "one" && !field.values.includes(item.value);
  if (!picksNow) return goOn(app);
  pick(app, form, state, item, false);
  if (state.steps > 1) goOn(app);
}

function pick(app: App, form: AnswerForm, state: FormState, item: Item, toggle: boolean): void {
  const question = questionOf(state);
  if (item.kind === "comment") return startEditing(app, { kind: "comment" });
  if (question === undefined) return;
  const field = fieldOf(state, question);
  app.set({ scroll: undefined });
  if (item.kind === "text" || item.kind === "note") return startEditing(app, { kind: item.kind, questionId: question.id });
  if (item.kind === "option") return form.choose(question.id, item.value);
  if (item.kind !== "other") return;
  if (toggle && field.other) return form.setOther(question.id, false);
  startEditing(app, { kind: "other", questionId: question.id });
}

function reviewKey(app: App, state: FormState, items: readonly Item[], name: string): boolean {
  const { keymap } = app.options;
  const item = items[app.ui.item];
  const digit = optionOfDigit(name, state.session.questions.length);
  if (digit !== undefined) app.goTo(digit);
  else if (keymap.is(name, "confirm") || keymap.is(name, "toggle")) {
    if (item?.kind === "answer") app.goTo(item.step);
    else if (item?.kind === "comment") startEditing(app, { kind: "comment" });
    else if (keymap.is(name, "confirm")) void submit(app);
  } else return false;
  return true;
}

/** Keys that are about the whole set of questions. */
function sessionKey(app: App, form: AnswerForm, state: FormState, { name }: KeyPress): void {
  const { keymap } = app.options;
  const question = questionOf(state);
  const among: readonly Action[] = ["next", "previous", "review", "recommended", "earlier", "note", "comment", "skip", "cancel"];
  switch (keymap.find(name, among)) {
    case "next":
      if (state.step < state.steps - 1) app.goTo(state.step + 1);
      return;
    case "previous":
      if (state.step > 0) app.goTo(state.step - 1);
      return;
    case "review":
      if (state.steps === 1 || question === undefined) return void submit(app);
      return app.goTo(state.steps - 1);
    case "recommended":
      if (question !== undefined) form.pickRecommended(question.id);
      return app.set({ scroll: undefined });
    case "earlier":
      return form.applyEarlierAnswer();
    case "note":
      return question === undefined ? undefined : startEditing(app, { kind: "note", questionId: question.id });
    case "comment":
      if (state.steps > 1 && question !== undefined) app.goTo(state.steps - 1);
      return startEditing(app, { kind: "comment" });
    case "skip":
      return skip(app, form, state);
    case "cancel":
      if (state.mode === "reply") return app.say("The agent has already been told that nobody answered in time.");
      return startEditing(app, { kind: "reason" });
    default:
      return;
  }
}

function skip(app: App, form: AnswerForm, state: FormState): void {
  const question = questionOf(state);
  if (question === undefined) return;
  if (question.required) return app.say("This question needs an answer; it cannot be skipped.", "warning");
  const skipped = !fieldOf(state, question).skipped;
  form.setSkipped(question.id, skipped);
  if (skipped && state.steps > 1) app.goTo(state.step + 1);
}

function moveItem(app: App, items: readonly Item[], by: number): void {
  app.set({ item: Math.min(items.length - 1, Math.max(0, app.ui.item + by)), scroll: undefined });
}

/** Pages through what is longer than the screen; the ends of the form by their own keys. */
function scrollKey(app: App, { name }: KeyPress): boolean {
  const { keymap } = app.options;
  const { bodyTop, bodyRows } = app.viewport;
  const page = Math.max(1, bodyRows - 1);
  const action = keymap.find(name, ["pageUp", "pageDown", "first", "last"] as const);
  if (action === undefined) return false;
  const scroll = { pageUp: bodyTop - page, pageDown: bodyTop + page, first: 0, last: Number.MAX_SAFE_INTEGER }[action];
  app.set({ scroll });
  return true;
}

/** What is settled takes no keys but those that read on and go away: whoever was typing must not do something else by it. */
function settledKey(app: App, key: KeyPress): void {
  const { keymap } = app.options;
  if (scrollKey(app, key)) return;
  if (keymap.is(key.name, "back") || keymap.is(key.name, "confirm")) return closeSettled(app);
  if (key.name === "up" || key.name === "down") app.set({ scroll: Math.max(0, app.viewport.bodyTop + (key.name === "up" ? -1 : 1)) });
}

/** Says once more how it ended: Enter may have been meant to send what was not needed any more. */
function closeSettled(app: App): void {
  const session = app.openSession();
  if (app.options.once) return app.leave();
  backToList(app, undefined);
  if (session !== undefined && app.ui.view === "inbox") app.say(`${outcomeWords(session)}.`);
}

function backToList(app: App, state: FormState | undefined): void {
  if (app.options.once) return app.leave();
  app.form()?.focus(undefined);
  app.set({ focus: "list", editing: undefined, item: 0, scroll: 0 });
  const isStarted = state !== undefined && (state.progress.answered > 0 || state.comment !== "");
  if (isStarted) app.say("Your draft is kept.");
  app.preview();
}
