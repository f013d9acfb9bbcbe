import { grantCommand, type RanList } from "@askbox/inbox/list";
import type { KeyPress } from "../editor/editor.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { foundRan, initialUi } from "./ui-state.ts";

const ranActions = ["up", "down", "pageUp", "pageDown", "first", "last", "search", "revoke", "copy", "ran", "back", "quit"] as const;

export function showRan(turn: Turn): void {
  turn.set({ overlay: { kind: "ran" }, ran: initialUi.ran });
  turn.do({ kind: "readRan" });
}

/** Keys while what ran without a person is shown. */
export function ranKey(turn: Turn, { name }: KeyPress): void {
  const { ran } = turn.ui;
  const under = foundRan(ran)[ran.item];
  const page = Math.max(1, turn.seen.viewport.listEntries - 1);
  const action = turn.seen.keymap.find(name, ranActions);
  switch (action) {
    case undefined:
      return;
    case "search":
      return startEditing(turn, { kind: "ran" });
    case "revoke":
      if (under?.by.kind !== "grant" || under.by.name === undefined) return turn.say("No grant let it run.");
      return turn.do({ kind: "readRan", revoke: under.by.name });
    case "copy": {
      const text = under && grantCommand(under);
      return text === undefined ? turn.say("No grant can be for commands like this one.") : turn.do({ kind: "copy", text });
    }
    case "back":
      return turn.set(ran.query === "" ? { overlay: undefined } : { ran: { ...ran, query: "", item: 0 } });
    case "ran":
    case "quit":
      return turn.set({ overlay: undefined });
    default: {
      const by = { up: -1, down: 1, pageUp: -page, pageDown: page, first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
      const last = Math.max(0, foundRan(ran).length - 1);
      turn.set({ ran: { ...ran, item: Math.min(last, Math.max(0, ran.item + by[action])) } });
    }
  }
}

/** The hub has sent what ran; `isRevoked`: whether a grant that was to be revoked still stood. */
export function ranRead(turn: Turn, list: RanList, isRevoked: boolean | undefined): void {
  turn.set({ ran: { ...turn.ui.ran, list, failure: undefined } });
  if (isRevoked !== undefined) turn.say(isRevoked ? "Revoked the grant." : "That grant has ended already.", isRevoked ? "success" : "info");
}

export function ranRefused(turn: Turn, failure: string): void {
  turn.set({ ran: { ...turn.ui.ran, failure } });
}
