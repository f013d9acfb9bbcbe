import { own } from "@askbox/core/questions";
import { insert, type TextBuffer } from "../editor/text-buffer.ts";
import { typedQuestion } from "./form-items.ts";
import type { Seen } from "./turn.ts";
import { isOneLine } from "./typed-keys.ts";
import type { UiState } from "./ui-state.ts";

/** What is often written in the project where the cursor is, and not in the text yet: `alt+1` adds the first. */
export function phrasesOf(ui: UiState, seen: Seen): readonly string[] {
  const { editing, open } = ui;
  const form = open === undefined ? undefined : seen.form(open);
  if (editing === undefined || form === undefined) return [];
  const { texts = [], reasons = [] } = own(ui.phrases, form.session.asker.project ?? "") ?? {};
  const question = typedQuestion(form, editing.target);
  const isText = question !== undefined && "type" in question && !isOneLine(question) && editing.target.kind === "text";
  const phrases = editing.target.kind === "reason" ? reasons : isText ? texts : [];
  return phrases.filter((phrase) => !editing.buffer.text.includes(phrase));
}

/** The text with the phrase of a key; undefined if the key has none. */
export function withPhrase(ui: UiState, seen: Seen, key: string): TextBuffer | undefined {
  const { editing } = ui;
  const number = /^alt\+([1-6])$/.exec(key)?.[1];
  const phrase = number === undefined ? undefined : phrasesOf(ui, seen)[Number(number) - 1];
  if (editing === undefined || phrase === undefined) return undefined;
  const { text } = editing.buffer;
  return insert(editing.buffer, text === "" || text.endsWith(" ") ? phrase : ` ${phrase}`, "other");
}
