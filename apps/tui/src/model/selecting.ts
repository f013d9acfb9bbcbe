import type { FormState } from "@askbox/inbox";
import { isDecision } from "@askbox/inbox/commands";
import { endingNames } from "@askbox/inbox/text";
import { preview } from "./navigate.ts";
import { startEditing } from "./text-fields.ts";
import type { Seen, Turn } from "./turn.ts";
import type { UiState } from "./ui-state.ts";

/** Several questions of the list at once, to decline or snooze them. */

/** Whether a question can be declined where the cursor is. */
export const mayDecline = (form: FormState | undefined): form is FormState => form?.phase === "editing" && form.mode === "answer";

/** The selected questions that can still be declined, as far as the list shows them. */
export function selectedForms({ selection, focus, view }: UiState, seen: Seen, entries: readonly { id: string }[]): FormState[] {
  if (focus !== "list" || view !== "inbox" || selection.length === 0) return [];
  return entries.flatMap(({ id }) => {
    const form = selection.includes(id) ? seen.form(id) : undefined;
    return mayDecline(form) ? form : [];
  });
}

/** Selects the question under the cursor, or no longer. Returns whether it can be. */
export function toggleSelected(turn: Turn): boolean {
  const { selected, selection, view } = turn.ui;
  if (selected === undefined || view !== "inbox" || !mayDecline(turn.seen.form(selected))) return false;
  const others = selection.filter((id) => id !== selected);
  turn.set({ selection: others.length < selection.length ? others : [...selection, selected] });
  return true;
}

/** Asks why the selected questions are declined, or the one under the cursor. The reason is kept with the first of them. */
export function startDeclining(turn: Turn): void {
  const [first] = selectedForms(turn.ui, turn.seen, turn.entries());
  if (first !== undefined) {
    turn.set({ selected: first.session.id });
    preview(turn);
  }
  if (turn.ui.view === "inbox" && mayDecline(turn.form())) startEditing(turn, { kind: "reason" });
}

/** Declines the open question, or all that are selected. */
export function decline(turn: Turn, session: string, reason: string): void {
  const forms = selectedForms(turn.ui, turn.seen, turn.entries());
  const ids = forms.length === 0 ? [session] : forms.map((form) => form.session.id);
  turn.set({ selection: [], openedNext: undefined, together: ids.length > 1 ? ids : [] });
  for (const id of ids) turn.do({ kind: "cancel", session: id, reason });
}

/** What was done to several at once, and how many they are. */
export function declinedTogether({ together }: UiState, seen: Seen): string {
  const areDecisions = together.every((id) => isDecision(seen.form(id)?.session));
  return `${areDecisions ? endingNames.denied : endingNames.declined} · ${together.length} ${areDecisions ? "actions" : "questions"}`;
}
