import { editedBy, isEditorKey, type KeyPress } from "../editor/editor.ts";
import { bufferOf, insert, replaceAll, type TextBuffer } from "../editor/text-buffer.ts";
import { advance } from "./advance.ts";
import { sendToAgent } from "./agent-keys.ts";
import { sendMessage } from "./ask-back.ts";
import { attach } from "./attaching.ts";
import { typedQuestion } from "./form-items.ts";
import { setActionsInText } from "./form-keys.ts";
import { moveInList, openSelected } from "./list-keys.ts";
import { attachToMessage, messageFileKey, moveToFile } from "./message-files.ts";
import { reselect, resumeText, toAnswer } from "./navigate.ts";
import { paletteKey } from "./palette.ts";
import { withPhrase } from "./phrases.ts";
import { confirmPrefix } from "./prefix-grant.ts";
import { scrollByPage } from "./scroll-keys.ts";
import { decline } from "./selecting.ts";
import { keepText, startEditing, stopEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { dateStep, isOneLine } from "./typed-keys.ts";
import { type Editing, isInDialog, isPath, isSearch } from "./ui-state.ts";

/** The form's shortcuts that also work in a text field, except those that type a character. */
const formKeys = [...setActionsInText, "moreTime", "read", "copy", "palette", "help"] as const;

/** Whether a key in a text field is a shortcut of the form. */
export function isFormKey({ ui, seen }: Turn, { name, text }: KeyPress): boolean {
  const target = ui.editing?.target;
  if (text !== undefined || isSearch(target) || isInDialog(target)) return false;
  if (target && isPath(target) && (name === "tab" || seen.keymap.is(name, "attach"))) return false;
  const action = seen.keymap.find(name, formKeys);
  return name === "tab" || name === "shift+tab" || (action !== undefined && !(action === "palette" && isEditorKey(name)));
}

/** A key in a text field. A key that types a character is always text, whatever the keymap says. */
export function editKey(turn: Turn, key: KeyPress): void {
  const { editing } = turn.ui;
  if (editing === undefined || (key.text === undefined && commandKey(turn, key.name, editing))) return;
  const edited = editedBy(key, editing.buffer, turn.seen.viewport.fieldWidth);
  if (edited !== undefined) writeText(turn, edited);
  else if (key.name === "up" || key.name === "down") leaveByArrow(turn, key.name === "up" ? -1 : 1);
}

/** Keys in a text field that do more than edit it. Returns whether the key was handled. */
function commandKey(turn: Turn, name: string, { target, buffer }: Editing): boolean {
  if (target.kind === "palette" && paletteKey(turn, name)) return true;
  if (target.kind === "message" && messageFileKey(turn, target, name)) return true;
  const search = isSearch(target);
  const question = typedQuestion(turn.form(), target);
  const isLine = search || target.kind === "prefix" || isPath(target) || (question !== undefined && isOneLine(question));
  const stepped = question === undefined ? undefined : dateStep(question, name, buffer, turn.seen.now);
  const page = turn.seen.keymap.find(name, ["pageUp", "pageDown"] as const);
  const phrased = withPhrase(turn.ui, turn.seen, name);
  if (phrased !== undefined) writeText(turn, phrased);
  else if (target.kind === "messageFile" && turn.is(name, "back")) startEditing(turn, { kind: "message", about: target.about });
  else if (turn.is(name, "back")) {
    if (search) writeText(turn, replaceAll(buffer, ""));
    stopEditing(turn);
    if (target.kind === "message") resumeText(turn);
  } else if (isPath(target) && name === "tab") turn.do({ kind: "completePath", text: buffer.text });
  else if (target.kind !== "grant" && search && (name === "up" || name === "down")) moveInList(turn, name === "up" ? -1 : 1);
  else if (search && (["up", "down", "tab"].includes(name) || turn.is(name, "confirm"))) {
    stopEditing(turn);
    if (target.kind !== "grant" && turn.is(name, "confirm")) openSelected(turn);
  } else if (!isLine && turn.is(name, "newline")) writeText(turn, insert(buffer, "\n"));
  else if (turn.is(name, "confirm")) confirmText(turn);
  else if (!isLine && turn.is(name, "editor")) turn.do({ kind: "editOutside", text: buffer.text });
  else if (question?.suggestion !== undefined && turn.is(name, "recommended")) writeText(turn, replaceAll(buffer, question.suggestion));
  else if (stepped !== undefined) writeText(turn, stepped);
  else if (page !== undefined && !search && target.kind !== "reason") scrollByPage(turn, page);
  else return false;
  return true;
}

/** Pasted text goes into the text field; without one it is ignored rather than read as keys. */
export function pasteText(turn: Turn, text: string): void {
  const { editing } = turn.ui;
  if (editing === undefined) return turn.say("Open a text field to paste into it.");
  const typed = typedQuestion(turn.form(), editing.target);
  const oneLine =
    isSearch(editing.target) || editing.target.kind === "prefix" || isPath(editing.target) || (typed !== undefined && isOneLine(typed));
  writeText(turn, insert(editing.buffer, oneLine ? onOneLine(text) : text, "other"));
  const { session } = turn.form() ?? {};
  if (editing.target.kind === "message" && session?.status === "pending")
    turn.do({ kind: "takeDropped", session: session.id, text: insert(bufferOf(""), text).text });
}

/** Takes the text back from the external editor, if its field is still being edited. */
export function replaceText(turn: Turn, text: string): void {
  const { editing } = turn.ui;
  if (editing !== undefined) writeText(turn, replaceAll(editing.buffer, text.replace(/\r?\n$/, "")));
}

function writeText(turn: Turn, buffer: TextBuffer): void {
  const { editing } = turn.ui;
  if (editing === undefined) return;
  // Typing goes into the text, also from one of the files.
  const target = editing.target.kind === "message" ? { kind: editing.target.kind, about: editing.target.about } : editing.target;
  turn.set({ editing: { target, buffer }, ...(isInDialog(target) ? {} : { scroll: undefined }) });
  if (buffer.text === editing.buffer.text) return;
  keepText(turn, target, buffer);
  if (target.kind === "filter") reselect(turn);
}

/** Enter in a text field: confirms it and continues. */
function confirmText(turn: Turn): void {
  const { editing } = turn.ui;
  const form = turn.form();
  if (editing === undefined) return;
  const { target, buffer } = editing;
  if (target.kind === "toAgent") {
    stopEditing(turn);
    return sendToAgent(turn, target.id, buffer.text);
  }
  if (form === undefined) return;
  const { overlay } = turn.ui;
  if (target.kind === "messageFile") {
    startEditing(turn, { kind: "message", about: target.about });
    return buffer.text.trim() === "" ? undefined : attachToMessage(turn, form, buffer.text);
  }
  if (target.kind === "prefix" && overlay?.kind === "prefix") return confirmPrefix(turn, overlay, buffer.text);
  stopEditing(turn);
  if (target.kind === "reason") return decline(turn, form.session.id, buffer.text);
  if (target.kind === "message") return sendMessage(turn, form, buffer.text, target.about);
  if (target.kind === "attach" || target.kind === "commentFile") {
    const part = target.kind === "attach" ? { questionId: target.questionId } : "comment";
    return buffer.text.trim() === "" ? undefined : attach(turn, form, part, buffer.text);
  }
  const last = turn.items().length - 1;
  if (target.kind === "comment" && turn.items()[last]?.kind === "send") return turn.set({ item: last });
  if (target.kind === "text" || (target.kind === "other" && buffer.text.trim() !== "")) return advance(turn);
  if (target.kind !== "note" && target.kind !== "comment") return;
  toAnswer(turn);
  resumeText(turn);
}

/** Up from the first row of a text, down from its last. */
function leaveByArrow(turn: Turn, by: -1 | 1): void {
  if (turn.ui.editing?.target.kind === "message" && by > 0) return moveToFile(turn, 0);
  if (isInDialog(turn.ui.editing?.target)) return;
  const target = turn.ui.item + by;
  if (target < 0 || target >= turn.items().length) return;
  stopEditing(turn);
  turn.set({ item: Math.min(target, turn.items().length - 1), scroll: undefined });
}

const onOneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .join(" ");
