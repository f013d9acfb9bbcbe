import type { KeyPress } from "../keys/key.ts";
import { extend, timeChoices } from "./actions.ts";
import type { App } from "./app.ts";

/** Keys while something lies over the panes. */
export function overlayKey(app: App, { name }: KeyPress): void {
  const { overlay } = app.ui;
  const { keymap } = app.options;
  if (overlay === undefined) return;
  const close = () => {
    app.set({ overlay: undefined });
    app.resumeText();
  };
  if (keymap.is(name, "back") || keymap.is(name, "quit")) return close();
  if (overlay.kind === "moreTime") {
    const digit = Number(name);
    if (digit >= 1 && digit <= timeChoices.length) return extend(app, digit - 1);
    if (keymap.is(name, "confirm")) return extend(app, overlay.item);
    const by = keymap.is(name, "down") ? 1 : keymap.is(name, "up") ? -1 : 0;
    return app.set({ overlay: { ...overlay, item: Math.min(timeChoices.length - 1, Math.max(0, overlay.item + by)) } });
  }
  if (overlay.kind === "cancel") return close();
  if (overlay.kind === "help" && keymap.is(name, "help")) return close();
  if (overlay.kind === "reader" && keymap.is(name, "read")) return close();
  const page = Math.max(1, app.viewport.bodyRows - 1);
  const by = {
    up: -1,
    down: 1,
    pageUp: -page,
    pageDown: page,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
    toggle: page,
  };
  const action = keymap.find(name, ["up", "down", "pageUp", "pageDown", "first", "last", "toggle"] as const);
  if (action === undefined) return;
  const last = Math.max(0, app.viewport.bodyLength - app.viewport.bodyRows);
  app.set({ overlay: { ...overlay, top: Math.min(last, Math.max(0, overlay.top + by[action])) } });
}
