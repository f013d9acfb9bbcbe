import type { SessionView } from "@askbox/core";
import { isTyped } from "@askbox/core/questions";
import type { Field } from "@askbox/inbox";
import { isDenial, snoozedUntil } from "@askbox/inbox/list";
import { fieldOf, isPicked, questionOf } from "./form-items.ts";
import { changeFiles, filesOfMessage } from "./message-files.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { isSearch, type UiState } from "./ui-state.ts";

/** Shows a session; `focus` says which pane gets the focus. */
export function open(turn: Turn, id: string | undefined, focus: UiState["focus"] = turn.ui.focus): void {
  const isNew = id !== turn.ui.open;
  const { editing } = turn.ui;
  // Search results are shown while the query is being typed.
  const kept = focus === "list" && isSearch(editing?.target) ? editing : undefined;
  turn.set({ open: id, focus: id === undefined ? "list" : focus, ...(isNew ? { item: 0, scroll: 0 } : {}), editing: kept });
  resumeText(turn);
}

/** Starts editing if the current step is a text question, since there is nothing else to do there. */
export function resumeText(turn: Turn): void {
  const { focus, editing, overlay } = turn.ui;
  const form = turn.form();
  if (form?.phase !== "editing" || focus !== "form" || editing !== undefined || overlay !== undefined) return;
  const question = questionOf(form);
  if (question !== undefined && isTyped(question)) startEditing(turn, { kind: "text", questionId: question.id });
}

/** Goes to another step of the form. */
export function goTo(turn: Turn, step: number): void {
  if (turn.form() === undefined) return;
  turn.focus(undefined);
  turn.set({ editing: undefined, scroll: 0 });
  turn.step(step);
  const form = turn.form();
  // On the review the cursor starts on Send, which is scrolled into view.
  if (form !== undefined && questionOf(form) === undefined) turn.set({ item: turn.items().length - 1, scroll: undefined });
  else turn.set({ item: 0 });
  resumeText(turn);
}

/** A new step starts at its top. If the user is kept on this step, the cursor stays, and the reason is scrolled into view. */
export function stayAt(turn: Turn, step: number, item = 0): void {
  goTo(turn, step);
  turn.set({ scroll: undefined, ...(turn.ui.editing === undefined && { item }) });
}

/** Moves the cursor from elsewhere to the answer, as it is or will be, which Enter then sends. */
export function toAnswer(turn: Turn, next?: Pick<Field, "values" | "other">): void {
  const form = turn.form();
  const question = form === undefined ? undefined : questionOf(form);
  if (form === undefined || question === undefined) return;
  const answer = { ...fieldOf(form, question), ...next };
  const items = turn.items();
  const isAnswer = (item = items[turn.ui.item]) =>
    item?.kind === "option" ? isPicked(question, answer, item.value) : item?.kind === "other" && answer.other;
  if (!isAnswer()) turn.set({ item: Math.max(0, items.findIndex(isAnswer)) });
  turn.set({ scroll: undefined });
}

/** Keeps the list's cursor on its session, or on the one that took its place. */
export function reselect(turn: Turn): void {
  const entries = turn.entries();
  const { selected, open: shown, focus, view, lastIndex } = turn.ui;
  const index = entries.findIndex(({ id }) => id === selected);
  const next = index >= 0 ? selected : entries[Math.min(lastIndex, entries.length - 1)]?.id;
  turn.set({ selected: next, lastIndex: index >= 0 ? index : lastIndex });
  const isOpen = shown !== undefined && (focus === "form" || entries.some(({ id }) => id === shown));
  if (!isOpen && (view === "inbox" || shown !== next)) preview(turn);
}

/**
 * Opens the question to go on with after an answer: the one that took its place in the list, or else the first. Those that are snoozed, whose
 * agent has left, or that a model has denied, open only by hand; without another, the list is shown.
 */
export function openNext(turn: Turn): void {
  const entries = turn.entries();
  const fold = entries.findIndex(({ id }) => id === "fold");
  const waiting = (fold < 0 ? entries : entries.slice(0, fold)).filter(
    (entry) =>
      "session" in entry &&
      entry.session.status === "pending" &&
      !isDenial(entry.session) &&
      snoozedUntil(entry.session, turn.seen.now) === undefined,
  );
  const next = waiting.find(({ id }) => id === turn.ui.selected) ?? waiting[0];
  if (turn.ui.view !== "inbox" || next === undefined) return;
  turn.set({ selected: next.id, openedNext: next.id });
  open(turn, next.id, "form");
}

/** Whether the open question has opened by itself just now: keys on their way are meant for the one before it. */
export const hasJustOpened = ({ ui, seen }: Turn): boolean =>
  ui.focus === "form" && ui.open !== undefined && ui.open === ui.openedNext && seen.look.hasJustSent;

/** While the list has the focus, the form pane shows the selected session. */
export function preview(turn: Turn): void {
  const { selected, open: shown } = turn.ui;
  const id = selected === "fold" ? undefined : selected;
  if (turn.seen.once && shown === undefined && id !== undefined) return open(turn, id, "form");
  if (id !== shown) open(turn, id, "list");
}

/** Opens the questions that the agent replaced these with, and moves an unsent message there with its files. Returns whether there are any. */
export function followReplaced(turn: Turn, { id, replacedBy }: SessionView): boolean {
  if (replacedBy === undefined || turn.seen.form(replacedBy) === undefined) return false;
  const { unsent } = turn.ui;
  turn.set({ selected: replacedBy, unsent: { ...unsent, [replacedBy]: unsent[replacedBy] ?? unsent[id] ?? "" } });
  const { attached } = filesOfMessage(turn.ui, id);
  // The hub takes those that are attached for the new questions, too, but not what is still being uploaded.
  if (attached.length > 0 && filesOfMessage(turn.ui, replacedBy).attached.length === 0) {
    changeFiles(turn, replacedBy, { attached });
    changeFiles(turn, id, { attached: [] });
  }
  open(turn, replacedBy, "form");
  return true;
}

export function leave(turn: Turn, code = 0): void {
  turn.do({ kind: "exit", code });
}
