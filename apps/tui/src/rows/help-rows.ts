import type { Action, Keymap } from "../keys/keymap.ts";
import { emptyRow, line, type Row, span, wrap } from "../text/row.ts";

const sections: readonly (readonly [string, readonly Action[]])[] = [
  ["In the list", ["up", "down", "open", "search", "order", "history", "quit"]],
  [
    "In a question",
    ["toggle", "confirm", "other", "yes", "no", "recommended", "earlier", "note", "comment", "skip", "next", "previous", "review", "read"],
  ],
  ["In a text", ["newline", "editor", "back"]],
  ["With the whole set", ["cancel", "moreTime", "undo", "copy"]],
  ["Everywhere", ["pageUp", "pageDown", "first", "last", "back", "help", "suspend", "redraw", "leave"]],
];

/** All keys, as they are bound. */
export function helpRows(keymap: Keymap, width: number): Row[] {
  const rows: Row[] = [line([span("Keys", "heading"), span("  esc closes; config: keys.ACTION", "dim")], width), emptyRow];
  for (const [title, actions] of sections) {
    rows.push(line([span(title, "heading")], width));
    if (title === "In a text") rows.push(...keyRow("↑, ↓; with shift", "In a date: a day later or earlier; a month", width));
    if (title === "In a question") rows.push(...keyRow("1–9, 0", "Pick the option with this number", width));
    for (const action of actions) rows.push(...keyRow(keymap.keysOf(action).join(", "), keymap.describe(action), width));
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
