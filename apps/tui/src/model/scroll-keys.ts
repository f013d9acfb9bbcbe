import type { Turn } from "./turn.ts";

/** Keys that scroll by pages or to either end. Returns whether the key was handled. */
export function scrollKey(turn: Turn, name: string): boolean {
  const action = turn.seen.keymap.find(name, ["pageUp", "pageDown", "first", "last"] as const);
  if (action === undefined) return false;
  if (action === "pageUp" || action === "pageDown") scrollByPage(turn, action);
  else turn.set({ scroll: action === "first" ? 0 : Number.MAX_SAFE_INTEGER });
  return true;
}

export function scrollByPage(turn: Turn, by: "pageUp" | "pageDown"): void {
  const { bodyTop, bodyRows } = turn.seen.viewport;
  turn.set({ scroll: bodyTop + (by === "pageUp" ? -1 : 1) * Math.max(1, bodyRows - 1) });
}
