import type { KeyPress } from "../editor/editor.ts";
import { showAgents } from "./agent-keys.ts";
import { showGrants } from "./grant-keys.ts";
import { undoLast } from "./held.ts";
import { orderNames, startSnooze } from "./menus.ts";
import { leave, open, preview, reselect } from "./navigate.ts";
import { showRan } from "./ran-keys.ts";
import { startDeclining, toggleSelected } from "./selecting.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";

const listActions = [
  "up",
  "down",
  "pageUp",
  "pageDown",
  "first",
  "last",
  "open",
  "back",
  "search",
  "order",
  "history",
  "grants",
  "agents",
  "ran",
  "snooze",
  "cancel",
  "select",
  "arrange",
  "undo",
  "quit",
] as const;

/** Keys while the list has the focus. */
export function listKey(turn: Turn, { name }: KeyPress): void {
  const { seen, ui } = turn;
  const page = Math.max(1, seen.viewport.listEntries - 1);
  switch (seen.keymap.find(name, listActions)) {
    case "up":
      return moveInList(turn, -1);
    case "down":
      return moveInList(turn, 1);
    case "pageUp":
      return moveInList(turn, -page);
    case "pageDown":
      return moveInList(turn, page);
    case "first":
      return moveInList(turn, Number.NEGATIVE_INFINITY);
    case "last":
      return moveInList(turn, Number.POSITIVE_INFINITY);
    case "open":
      return seen.look.hasJustSent ? undefined : openSelected(turn);
    case "back":
      return stepBack(turn);
    case "search":
      return startEditing(turn, { kind: ui.view === "history" ? "query" : "filter" });
    case "order":
      turn.set({ order: ui.order === "deadline" ? "newest" : "deadline" });
      return turn.say(`${orderNames[turn.ui.order]}.`);
    case "history":
      return ui.view === "history" ? showInbox(turn) : showHistory(turn);
    case "grants":
      return showGrants(turn);
    case "agents":
      return showAgents(turn);
    case "ran":
      return showRan(turn);
    case "snooze":
      return ui.view === "inbox" ? startSnooze(turn) : undefined;
    case "cancel":
      return startDeclining(turn);
    case "select":
      return toggleSelected(turn) ? moveInList(turn, 1) : undefined;
    case "arrange":
      return turn.set({ overlay: { kind: "arrange", item: 0 } });
    case "undo":
      return void undoLast(turn);
    case "quit":
      return leave(turn);
    default:
      return;
  }
}

/** Moves the cursor of the list. */
export function moveInList(turn: Turn, by: number): void {
  const entries = turn.entries();
  if (entries.length === 0) return;
  const at = entries.findIndex(({ id }) => id === turn.ui.selected);
  const next = Math.min(entries.length - 1, Math.max(0, at + by));
  turn.set({ selected: entries[next]?.id, lastIndex: next });
  preview(turn);
  if (turn.ui.view === "history" && next >= entries.length - 10) turn.do({ kind: "moreHistory" });
}

/** Opens what is under the cursor. */
export function openSelected(turn: Turn): void {
  const { selected, unfolded } = turn.ui;
  if (selected === "fold") return turn.set({ unfolded: !unfolded });
  if (selected !== undefined) open(turn, selected, "form");
}

/** Milliseconds that a word stands beside the keys. */
const briefly = 2_000;

/** Selects nothing any longer, or leaves the search, then the history, but never the program. */
function stepBack(turn: Turn): void {
  if (turn.ui.selection.length > 0) return turn.set({ selection: [] });
  const { view, filter, narrowing, history } = turn.ui;
  if (view === "inbox" && (filter !== "" || Object.keys(narrowing).length > 0)) {
    turn.set(filter === "" ? { narrowing: {} } : { filter: "" });
    return reselect(turn);
  }
  if (view === "history" && (history.query !== "" || history.ending !== undefined))
    return turn.do({ kind: "searchHistory", query: "", ending: history.query === "" ? undefined : history.ending });
  if (view === "history") return showInbox(turn);
  const quit = turn.seen.keymap.keysOf("quit")[0] ?? "ctrl+c";
  turn.set({ notice: { text: `Press ${quit} to quit.`, tone: "info", until: turn.seen.now + briefly } });
}

export function showHistory(turn: Turn): void {
  turn.set({ view: "history", selected: undefined, open: undefined, editing: undefined });
  const { query, ending } = turn.ui.history;
  turn.do({ kind: "searchHistory", query, ending });
}

export function showInbox(turn: Turn): void {
  turn.set({ view: "inbox", selected: undefined, open: undefined, editing: undefined });
  turn.set({ selected: turn.entries()[0]?.id });
  preview(turn);
}
