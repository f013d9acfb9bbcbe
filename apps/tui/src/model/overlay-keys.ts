import type { KeyPress } from "../editor/key-press.ts";
import { grantKey } from "./grant-keys.ts";
import { resumeText } from "./navigate.ts";
import type { Turn } from "./turn.ts";
import type { Overlay } from "./ui-state.ts";

/** The choices for more time, in ms from now. */
export const timeChoices = [
  { label: "5 minutes", timeout: 5 * 60_000 },
  { label: "15 minutes", timeout: 15 * 60_000 },
  { label: "no limit", timeout: null },
] as const;

/** Keys while an overlay is open. */
export function overlayKey(turn: Turn, overlay: Overlay, key: KeyPress): void {
  if (overlay.kind === "grants") return grantKey(turn, key);
  const { name } = key;
  const closesItself = { help: "help", reader: "read", moreTime: "moreTime", cancel: "cancel", askBack: "askBack" } as const;
  if (turn.seen.keymap.find(name, ["back", "quit", closesItself[overlay.kind]]) !== undefined) {
    turn.set({ overlay: undefined });
    return resumeText(turn);
  }
  if (overlay.kind === "moreTime") moreTimeKey(turn, overlay, name);
  else if ("top" in overlay) readingKey(turn, overlay, name);
}

function moreTimeKey(turn: Turn, overlay: Extract<Overlay, { kind: "moreTime" }>, name: string): void {
  const chosen = turn.is(name, "confirm") ? overlay.item : Number(name) - 1;
  const { label, timeout } = timeChoices[chosen] ?? {};
  const { open } = turn.ui;
  if (open !== undefined && label !== undefined && timeout !== undefined) {
    turn.set({ overlay: undefined });
    resumeText(turn);
    return turn.do({ kind: "extend", session: open, timeout, label });
  }
  const by = turn.is(name, "down") ? 1 : turn.is(name, "up") ? -1 : 0;
  turn.set({ overlay: { ...overlay, item: Math.min(timeChoices.length - 1, Math.max(0, overlay.item + by)) } });
}

function readingKey(turn: Turn, overlay: Extract<Overlay, { top: number }>, name: string): void {
  const { bodyRows, bodyLength } = turn.seen.viewport;
  const page = Math.max(1, bodyRows - 1);
  const by = {
    up: -1,
    down: 1,
    pageUp: -page,
    pageDown: page,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
    toggle: page,
  };
  const action = turn.seen.keymap.find(name, ["up", "down", "pageUp", "pageDown", "first", "last", "toggle"] as const);
  if (action === undefined) return;
  const last = Math.max(0, bodyLength - bodyRows);
  turn.set({ overlay: { ...overlay, top: Math.min(last, Math.max(0, overlay.top + by[action])) } });
}
