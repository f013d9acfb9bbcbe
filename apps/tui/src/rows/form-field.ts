import { type AnswerFile, bytesText } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import { editorRows } from "../editor/editor-rows.ts";
import { bufferOf } from "../editor/text-buffer.ts";
import type { Item } from "../model/form-items.ts";
import type { PastActions } from "../model/past-grants.ts";
import type { Editing } from "../model/ui-state.ts";
import { line, type Span, span, wrap } from "../text/row.ts";
import type { BodyBuilder } from "./body.ts";

/** What a form is drawn from. */
export interface FormView {
  state: FormState;
  items: readonly Item[];
  /** The item under the cursor; undefined while the list has the focus. */
  item: number | undefined;
  editing: Editing | undefined;
  past: PastActions | undefined;
  /** Wall time in ms. */
  now: number;
  width: number;
  /** For a screen reader: words instead of symbols. */
  plain: boolean;
  /** Whether the terminal can show pictures. */
  showsPictures: boolean;
  /** The shortcut for an action, for hints in the text. */
  keyOf(action: "recommended" | "earlier" | "read" | "skip"): string;
  /** The shortcut for an action that doesn't type a character, for hints in a text field. */
  typingKeyOf(action: "recommended"): string;
}

export const fieldMark: Span = span("▏ ", "accent");

/** In the field for the path of a file. */
export const pathPlaceholder = "The path of a file; tab completes it";

/** An attached file: the start of its row, then its name and what is known about it. */
export function fileSpans(
  { name, size, mimeType, caption }: AnswerFile,
  isFocused: boolean,
  plain: boolean,
): { first: Span; rest: [name: Span, facts: Span] } {
  const first = plain ? span(isFocused ? "current, file: " : "file: ") : span(isFocused ? "› " : "  ", "accent");
  const facts = [bytesText(size), mimeType, ...(caption === undefined ? [] : [caption])].join(", ");
  return { first, rest: [span(name, isFocused ? "selection" : undefined), span(` (${facts})`, "dim")] };
}

/** Adds the comment on all answers, an attached file, or the field for the path of one. */
export function addExtra(builder: BodyBuilder, view: FormView, item: Item, isFocused: boolean): void {
  const { state, width, plain } = view;
  if (item.kind === "comment") {
    builder.add([line([span("Comment", "dim")], width)]);
    addField(builder, view, "comment", state.comment, isFocused, "A comment for the agent");
  } else if (item.kind === "file") {
    const { first, rest } = fileSpans(item.file, isFocused, plain);
    builder.add(wrap(rest, width, { first: [first] }), isFocused);
  } else if (item.kind === "attach" || item.kind === "commentFile") addField(builder, view, item.kind, "", isFocused, pathPlaceholder);
}

/** The text fields of a form. */
type FieldKind = "text" | "other" | "attach" | "note" | "comment" | "commentFile";

/** Adds a text field; the one being edited has the cursor. */
export function addField(
  builder: BodyBuilder,
  view: FormView,
  kind: FieldKind,
  text: string,
  isFocused: boolean,
  placeholder: string,
  indent = 0,
): void {
  const isActive = view.editing?.target.kind === kind;
  const buffer = isActive && view.editing !== undefined ? view.editing.buffer : bufferOf(text);
  const mark: Span = {
    ...fieldMark,
    text: `${" ".repeat(indent)}${view.plain ? "" : fieldMark.text}`,
    token: isActive || isFocused ? "accent" : "dim",
  };
  builder.field(editorRows(buffer, Math.max(4, view.width - mark.text.length), placeholder), mark, isActive, isFocused);
}
