import type { KeyPress } from "../keys/key.ts";
import type { App } from "./app.ts";
import { startEditing } from "./edit-keys.ts";

const keys = ["up", "down", "pageUp", "pageDown", "first", "last", "open", "back", "search", "order", "history", "copy", "quit"] as const;

/** Keys while the list has them. */
export function listKey(app: App, { name }: KeyPress): void {
  const { keymap } = app.options;
  const { viewport, ui } = app;
  switch (keymap.find(name, keys)) {
    case "up":
      return move(app, -1);
    case "down":
      return move(app, 1);
    case "pageUp":
      return move(app, -Math.max(1, viewport.listEntries - 1));
    case "pageDown":
      return move(app, Math.max(1, viewport.listEntries - 1));
    case "first":
      return move(app, Number.NEGATIVE_INFINITY);
    case "last":
      return move(app, Number.POSITIVE_INFINITY);
    case "open":
      return openSelected(app);
    case "back":
      return stepBack(app);
    case "search":
      return startEditing(app, { kind: ui.view === "history" ? "query" : "filter" });
    case "order":
      app.set({ order: ui.order === "deadline" ? "newest" : "deadline" });
      return app.say(app.ui.order === "deadline" ? "Soonest deadline first." : "Newest first.");
    case "history":
      return ui.view === "history" ? showInbox(app) : showHistory(app);
    case "quit":
      return app.leave();
    default:
      return;
  }
}

function move(app: App, by: number): void {
  const entries = app.entries();
  if (entries.length === 0) return;
  const at = entries.findIndex(({ id }) => id === app.ui.selected);
  const next = Math.min(entries.length - 1, Math.max(0, at + by));
  app.set({ selected: entries[next]?.id });
  app.preview();
  if (app.ui.view === "history" && next >= entries.length - 10) app.history.more(app.ui.history);
}

function openSelected(app: App): void {
  const { selected, unfolded } = app.ui;
  if (selected === "fold") return app.set({ unfolded: !unfolded });
  if (selected !== undefined) app.open(selected, "form");
}

/** Out of a search, then out of the history; never out of the program. */
function stepBack(app: App): void {
  const { view, filter, history } = app.ui;
  if (view === "inbox" && filter !== "") {
    app.set({ filter: "" });
    return app.reselect();
  }
  if (view === "history" && history.query !== "") return app.history.search("");
  if (view === "history") return showInbox(app);
  const quit = app.options.keymap.keysOf("quit")[0] ?? "ctrl+c";
  app.say(`Press ${quit} to leave.`);
}

function showHistory(app: App): void {
  app.set({ view: "history", selected: undefined, open: undefined, editing: undefined });
  app.history.search(app.ui.history.query);
}

function showInbox(app: App): void {
  app.set({ view: "inbox", selected: undefined, open: undefined, editing: undefined });
  const first = app.entries()[0]?.id;
  app.set({ selected: first });
  app.preview();
}
