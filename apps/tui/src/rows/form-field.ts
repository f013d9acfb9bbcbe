import type { FormState } from "@askbox/react";
import { editorRows } from "../editor/editor-rows.ts";
import { bufferOf } from "../editor/text-buffer.ts";
import type { Item } from "../model/form-items.ts";
import type { Editing } from "../model/ui-state.ts";
import { type Span, span } from "../text/row.ts";
import type { BodyBuilder } from "./body.ts";

/** What a form is drawn from. */
export interface FormView {
  state: FormState;
  items: readonly Item[];
  /** The item under the cursor; undefined while the list has the keys. */
  item: number | undefined;
  editing: Editing | undefined;
  /** Wall time in ms. */
  now: number;
  width: number;
  /** For a screen reader: words in place of signs, nothing drawn. */
  plain: boolean;
  /** The key of an action, for hints in the text. */
  keyOf(action: "recommended" | "earlier" | "skip"): string;
  /** The action's key that types nothing, for while a text is being typed. */
  typingKeyOf(action: "recommended"): string;
}

export const fieldMark: Span = span("▏ ", "accent");

/** What may be typed into within a form. */
type FieldKind = "text" | "other" | "note" | "comment";

/** Adds a text field; the one that is being typed into has the cursor. */
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
