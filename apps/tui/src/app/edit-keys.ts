import type { AnswerForm } from "@askbox/react";
import { editedBy } from "../editor/editor-keys.ts";
import { bufferOf, insert, replaceAll, type TextBuffer } from "../editor/text-buffer.ts";
import type { KeyPress } from "../keys/key.ts";
import { cancelSession, goOn } from "./actions.ts";
import type { App } from "./app.ts";
import { typedQuestion } from "./form-items.ts";
import { dateStep, isOneLine } from "./typed-keys.ts";
import type { EditTarget } from "./ui-state.ts";

/** Begins to type; the cursor is behind what is there. */
export function startEditing(app: App, target: EditTarget): void {
  const form = app.form();
  app.set({
    editing: { target, buffer: bufferOf(textOf(app, form, target)) },
    overlay: target.kind === "reason" ? { kind: "cancel" } : undefined,
  });
  if ("questionId" in target) form?.focus({ questionId: target.questionId });
  else if (target.kind === "comment") form?.focus("comment");
  const state = form?.getState();
  if (state === undefined) return;
  const items = app.items(state);
  const item = items.findIndex(({ kind }) => kind === target.kind);
  if (item >= 0) app.set({ item });
}

/** Ends typing. What was typed stays; an Other without words is taken back. */
export function stopEditing(app: App): void {
  const { editing } = app.ui;
  const form = app.form();
  if (editing?.target.kind === "other" && editing.buffer.text.trim() === "") form?.setOther(editing.target.questionId, false);
  app.set({ editing: undefined, ...(editing?.target.kind === "reason" ? { overlay: undefined } : {}) });
  form?.focus(undefined);
  const state = form?.getState();
  if (state !== undefined) app.set({ item: Math.min(app.ui.item, Math.max(0, app.items(state).length - 1)) });
}

export function editKey(app: App, key: KeyPress): void {
  const { editing } = app.ui;
  if (editing === undefined) return;
  const { keymap } = app.options;
  const { target, buffer } = editing;
  const isSearch = target.kind === "filter" || target.kind === "query";
  const question = typedQuestion(app.form()?.getState(), target);
  const isLine = isSearch || (question !== undefined && isOneLine(question));
  // A key that types is text, whatever the keymap says of it.
  if (key.text === undefined) {
    if (keymap.is(key.name, "back")) {
      if (isSearch) clearSearch(app);
      return stopEditing(app);
    }
    if (isSearch && (key.name === "enter" || key.name === "up" || key.name === "down" || key.name === "tab")) return stopEditing(app);
    if (!isLine && keymap.is(key.name, "newline")) return writeText(app, insert(buffer, "\n"));
    if (keymap.is(key.name, "confirm")) return confirmText(app);
    if (!isLine && keymap.is(key.name, "editor")) return void editOutside(app);
    if (question?.suggestion !== undefined && keymap.is(key.name, "recommended")) {
      return writeText(app, replaceAll(buffer, question.suggestion));
    }
    const stepped = question === undefined ? undefined : dateStep(question, key.name, buffer, app.now());
    if (stepped !== undefined) return writeText(app, stepped);
    if (!isSearch && target.kind !== "reason" && formKeyWhileEditing(app, key)) return;
  }
  const edited = editedBy(key, buffer, app.viewport.fieldWidth);
  if (edited !== undefined) writeText(app, edited);
  else if (key.name === "up" || key.name === "down") leaveByArrow(app, key.name === "up" ? -1 : 1);
}

/** Keys of the form that work while a text is being typed: those that type nothing. */
function formKeyWhileEditing(app: App, key: KeyPress): boolean {
  const { keymap } = app.options;
  const action = keymap.find(key.name, [
    "review",
    "note",
    "comment",
    "skip",
    "cancel",
    "moreTime",
    "read",
    "copy",
    "pageUp",
    "pageDown",
    "help",
  ] as const);
  if (action === undefined && key.name !== "tab" && key.name !== "shift+tab") return false;
  if (action === "pageUp" || action === "pageDown") {
    app.set({ scroll: app.viewport.bodyTop + (action === "pageUp" ? -1 : 1) * Math.max(1, app.viewport.bodyRows - 1) });
    return true;
  }
  stopEditing(app);
  app.handleKey(key);
  return true;
}

export function writeText(app: App, buffer: TextBuffer): void {
  const { editing } = app.ui;
  if (editing === undefined) return;
  const { target } = editing;
  const { text } = buffer;
  app.set({ editing: { target, buffer }, scroll: undefined });
  if (text === editing.buffer.text) return;
  const form = app.form();
  switch (target.kind) {
    case "text":
      return form?.setText(target.questionId, text);
    case "other":
      return form?.setOtherText(target.questionId, text);
    case "note":
      return form?.setNote(target.questionId, text);
    case "comment":
      return form?.setComment(text);
    case "filter":
      app.set({ filter: text });
      return app.reselect();
    case "query":
      return app.history.search(text);
    case "reason":
      return;
  }
}

function textOf(app: App, form: AnswerForm | undefined, target: EditTarget): string {
  const state = form?.getState();
  switch (target.kind) {
    case "text":
      return state?.fields[target.questionId]?.values[0] ?? "";
    case "other":
      return state?.fields[target.questionId]?.otherText ?? "";
    case "note":
      return state?.fields[target.questionId]?.note ?? "";
    case "comment":
      return state?.comment ?? "";
    case "filter":
      return app.ui.filter;
    case "query":
      return app.ui.history.query;
    case "reason":
      return "";
  }
}

/** Enter in a text: go on from where it belongs. */
function confirmText(app: App): void {
  const { editing } = app.ui;
  const form = app.form();
  if (editing === undefined || form === undefined) return;
  const { target, buffer } = editing;
  stopEditing(app);
  if (target.kind === "reason") return cancelSession(app, buffer.text);
  if (target.kind === "text") return goOn(app);
  // Enter never sends what it has just ended, but it goes on where a review follows.
  if (target.kind === "other" && form.getState().steps > 1) return goOn(app);
}

function clearSearch(app: App): void {
  if (app.ui.editing?.target.kind === "filter") {
    app.set({ filter: "" });
    app.reselect();
  } else app.history.search("");
}

/** Up from the first row of a text, down from its last. */
function leaveByArrow(app: App, by: -1 | 1): void {
  const state = app.form()?.getState();
  if (state === undefined || app.ui.editing?.target.kind === "reason") return;
  const target = app.ui.item + by;
  if (target < 0 || target >= app.items(state).length) return;
  stopEditing(app);
  app.set({ item: Math.min(target, app.items(state).length - 1), scroll: undefined });
}

/** The editor has the terminal until it ends; the answer is sent by nobody but the person, back here. */
async function editOutside(app: App): Promise<void> {
  const { editing } = app.ui;
  if (editing === undefined) return;
  const { text, problem } = await app.options.host.edit(editing.buffer.text);
  if (problem !== undefined) app.say(problem, "error");
  const present = app.ui.editing;
  if (text !== undefined && present !== undefined) writeText(app, replaceAll(present.buffer, text.replace(/\r?\n$/, "")));
}
