import type { Grant } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import type { KeyPress } from "../editor/editor.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { foundGrants } from "./ui-state.ts";

const grantActions = ["up", "down", "pageUp", "pageDown", "first", "last", "search", "revoke", "grants", "back", "quit"] as const;

export function showGrants(turn: Turn): void {
  turn.set({ overlay: { kind: "grants" }, grants: { query: "", all: undefined, item: 0, failure: undefined } });
  turn.do({ kind: "readGrants" });
}

/** Keys while the grants are shown. */
export function grantKey(turn: Turn, { name }: KeyPress): void {
  const { grants } = turn.ui;
  const page = Math.max(1, turn.seen.viewport.listEntries - 1);
  const action = turn.seen.keymap.find(name, grantActions);
  switch (action) {
    case undefined:
      return;
    case "search":
      return startEditing(turn, { kind: "grant" });
    case "revoke": {
      const grant = foundGrants(grants)[grants.item];
      return grant === undefined ? undefined : turn.do({ kind: "readGrants", revoke: grant.id });
    }
    case "back":
      return turn.set(grants.query === "" ? { overlay: undefined } : { grants: { ...grants, query: "", item: 0 } });
    case "grants":
    case "quit":
      return turn.set({ overlay: undefined });
    default: {
      const by = { up: -1, down: 1, pageUp: -page, pageDown: page, first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY };
      moveTo(turn, grants.item + by[action]);
    }
  }
}

/** The hub has sent its grants. */
export function grantsRead(turn: Turn, all: readonly Grant[], revoked: string | undefined): void {
  const { grants } = turn.ui;
  const gone = grants.all?.find(({ id }) => id === revoked);
  turn.set({ grants: { ...grants, all: all.filter(({ expiresAt }) => expiresAt > turn.seen.now), failure: undefined } });
  moveTo(turn, turn.ui.grants.item);
  if (gone !== undefined) turn.say(`Revoked: ${terminalLine(gone.shown)}`, "success");
}

export function grantsRefused(turn: Turn, failure: string): void {
  turn.set({ grants: { ...turn.ui.grants, failure } });
}

function moveTo(turn: Turn, item: number): void {
  const { grants } = turn.ui;
  const last = Math.max(0, foundGrants(grants).length - 1);
  turn.set({ grants: { ...grants, item: Math.min(last, Math.max(0, item)) } });
}
