import { type Keymap, type KeyPlace, keyPlaces } from "@askbox/inbox/commands";
import type { Hint } from "../model/hints.ts";
import { emptyRow, line, type Row, span, wrap } from "../text/row.ts";

/** Keys that can't be rebound and so are not in the keymap. */
const fixed: Partial<Record<KeyPlace, readonly (readonly [keys: string, words: string])[]>> = {
  question: [
    ["1–9, 0", "Pick an option by its number"],
    ["alt+1–9, alt+0", "Pick the eleventh to the twentieth option"],
  ],
  text: [["↑, ↓; with shift", "In a date: by a day; with shift, by a month"]],
};

/** What the keys do where the help was opened, and all keys with their current bindings. */
export function helpRows(keymap: Keymap, here: readonly Hint[], width: number): Row[] {
  const rows: Row[] = [line([span("Keyboard shortcuts", "heading"), span("  esc closes; config: keys.ACTION", "dim")], width), emptyRow];
  rows.push(line([span("Here", "heading")], width));
  for (const { key, words } of here) rows.push(...keyRow(key, words, width));
  rows.push(emptyRow);
  for (const [place, title] of Object.entries(keyPlaces) as [KeyPlace, string][]) {
    rows.push(line([span(title, "heading")], width));
    for (const [keys, words] of fixed[place] ?? []) rows.push(...keyRow(keys, words, width));
    for (const action of keymap.actionsIn(place)) rows.push(...keyRow(keymap.keysOf(action).join(", "), keymap.describe(action), width));
    rows.push(emptyRow);
  }
  return rows;
}

function keyRow(keys: string, words: string, width: number): Row[] {
  const column = Math.min(26, Math.max(12, Math.floor(width * 0.38)));
  if (keys.length >= column)
    return [line([span(`  ${keys}`, "accent")], width), ...wrap([span(words)], width, { first: [span(" ".repeat(column))] })];
  return wrap([span(words)], width, { first: [span(`  ${keys}`.padEnd(column), "accent")] });
}
