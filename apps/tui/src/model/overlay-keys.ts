import type { KeyActionName } from "@askbox/inbox/commands";
import type { KeyPress } from "../editor/editor.ts";
import { submit } from "./advance.ts";
import { agentKey } from "./agent-keys.ts";
import { documentKey } from "./document-keys.ts";
import { grantKey } from "./grant-keys.ts";
import { menuOf } from "./menus.ts";
import { resumeText } from "./navigate.ts";
import { ranKey } from "./ran-keys.ts";
import type { Turn } from "./turn.ts";
import type { Overlay } from "./ui-state.ts";

/** The key that opens an overlay also closes it. */
const closedBy: Readonly<Partial<Record<Overlay["kind"], KeyActionName>>> = {
  help: "help",
  reader: "read",
  moreTime: "moreTime",
  snooze: "snooze",
  arrange: "arrange",
  cancel: "cancel",
  askBack: "askBack",
};

/** Keys while an overlay is open. */
export function overlayKey(turn: Turn, overlay: Overlay, key: KeyPress): void {
  if (overlay.kind === "grants") return grantKey(turn, key);
  if (overlay.kind === "ran") return ranKey(turn, key);
  if (overlay.kind === "agents") return agentKey(turn, key);
  const { name } = key;
  if (overlay.kind === "document") {
    if (turn.is(name, "help")) return turn.set({ overlay: { kind: "help", top: 0, over: overlay } });
    return turn.is(name, "review") ? sendDocument(turn) : documentKey(turn, overlay, key);
  }
  const itself = closedBy[overlay.kind];
  if (turn.seen.keymap.find(name, ["back", "quit", ...(itself === undefined ? [] : [itself])]) !== undefined) {
    turn.set({ overlay: overlay.kind === "help" ? overlay.over : undefined });
    return resumeText(turn);
  }
  if ("item" in overlay) menuKey(turn, overlay, name);
  else if ("top" in overlay) readingKey(turn, overlay, name);
}

/** Sends the verdict on the open document, or says what is missing. */
function sendDocument(turn: Turn): void {
  const form = turn.form();
  if (form === undefined || form.steps > 1) return;
  turn.set({ overlay: undefined });
  submit(turn);
}

function menuKey(turn: Turn, overlay: Extract<Overlay, { item: number }>, name: string): void {
  const { choices } = menuOf(overlay.kind, turn.ui, turn.seen);
  const choice = choices[turn.is(name, "confirm") ? overlay.item : Number(name) - 1];
  if (choice !== undefined) {
    turn.set({ overlay: undefined });
    choice.choose(turn);
    return resumeText(turn);
  }
  const by = turn.is(name, "down") ? 1 : turn.is(name, "up") ? -1 : 0;
  turn.set({ overlay: { ...overlay, item: Math.max(0, Math.min(choices.length - 1, overlay.item + by)) } });
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
