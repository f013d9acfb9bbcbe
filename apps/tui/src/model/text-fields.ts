import type { FormState } from "@askbox/inbox";
import { bufferOf, type TextBuffer } from "../editor/text-buffer.ts";
import { keepComment } from "./document-keys.ts";
import type { Turn } from "./turn.ts";
import { type EditTarget, isInDialog, type Overlay } from "./ui-state.ts";

/** The dialogs with their own text field. */
const dialogs: Partial<Record<EditTarget["kind"], Overlay>> = {
  reason: { kind: "cancel" },
  message: { kind: "askBack" },
  messageFile: { kind: "askBack" },
  grant: { kind: "grants" },
  ran: { kind: "ran" },
  palette: { kind: "palette", at: 0 },
  toAgent: { kind: "agents" },
};

/** Starts editing, with the cursor at the end of the text. */
export function startEditing(turn: Turn, target: EditTarget): void {
  turn.set({
    editing: { target, buffer: bufferOf(textOf(turn, turn.form(), target)) },
    overlay: dialogs[target.kind],
  });
  if ("questionId" in target) turn.focus({ questionId: target.questionId });
  else if (target.kind === "comment" || target.kind === "commentFile") turn.focus("comment");
  const item = turn.items().findIndex(({ kind }) => kind === target.kind);
  if (item >= 0) turn.set({ item });
}

/** Whether it stays when a text that was written in it is done. */
const isUnder = (overlay: Overlay | undefined): boolean => overlay?.kind === "agents" || overlay?.kind === "document";

/** Stops editing. The text is kept; an empty Other is deselected. */
export function stopEditing(turn: Turn): void {
  const { editing, overlay, item } = turn.ui;
  if (editing?.target.kind === "other" && editing.buffer.text.trim() === "") {
    turn.edit({ id: editing.target.questionId }, { kind: "other", other: false });
  }
  turn.set({ editing: undefined, overlay: isInDialog(editing?.target) && !isUnder(overlay) ? undefined : overlay });
  turn.focus(undefined);
  if (turn.form() !== undefined) turn.set({ item: Math.min(item, Math.max(0, turn.items().length - 1)) });
}

/** Stores the edited text. */
export function keepText(turn: Turn, target: EditTarget, buffer: TextBuffer): void {
  const { text } = buffer;
  switch (target.kind) {
    case "text":
      return turn.edit({ id: target.questionId }, { kind: "text", text });
    case "other":
      return turn.edit({ id: target.questionId }, { kind: "otherText", text });
    case "note":
      return turn.edit({ id: target.questionId }, { kind: "note", text });
    case "line":
      return keepComment(turn, target, text);
    case "comment":
      return turn.comment(text);
    case "reason":
      return turn.reason(text);
    case "filter":
      return turn.set({ filter: text });
    case "query":
      return turn.do({ kind: "searchHistory", query: text, ending: turn.ui.history.ending });
    case "grant":
      return turn.set({ grants: { ...turn.ui.grants, query: text, item: 0 } });
    case "ran":
      return turn.set({ ran: { ...turn.ui.ran, query: text, item: 0 } });
    case "palette":
      return turn.set({ overlay: { kind: "palette", at: 0 } });
    case "toAgent":
      return turn.set({ unsent: { ...turn.ui.unsent, [target.id]: text } });
    case "message": {
      const { open, unsent } = turn.ui;
      return open === undefined ? undefined : turn.set({ unsent: { ...unsent, [open]: text } });
    }
    case "attach":
    case "commentFile":
    case "messageFile":
    case "prefix":
      return;
  }
}

function textOf({ ui }: Turn, form: FormState | undefined, target: EditTarget): string {
  switch (target.kind) {
    case "text":
      return form?.fields[target.questionId]?.values[0] ?? "";
    case "other":
      return form?.fields[target.questionId]?.otherText ?? "";
    case "note":
      return form?.fields[target.questionId]?.note ?? "";
    case "line":
      return target.comment.text;
    case "comment":
      return form?.comment ?? "";
    case "reason":
      return form?.reason ?? "";
    case "filter":
      return ui.filter;
    case "query":
      return ui.history.query;
    case "grant":
      return ui.grants.query;
    case "ran":
      return ui.ran.query;
    case "toAgent":
      return ui.unsent[target.id] ?? "";
    case "message":
      return (ui.open === undefined ? undefined : ui.unsent[ui.open]) ?? "";
    case "attach":
    case "commentFile":
    case "messageFile":
    case "prefix":
    case "palette":
      return "";
  }
}
