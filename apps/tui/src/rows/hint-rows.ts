import type { App } from "../app/app.ts";
import type { Hint } from "../model/hints.ts";
import { type Row, type Span, span, splitLine } from "../text/row.ts";

/** The bottom row: the latest notice, otherwise the keys that matter here; on the right, how much more there is to read. */
export function hintRow(app: App, width: number, more: string): Row {
  const { notice } = app.ui;
  const right = more === "" ? [] : [span(more, "accent")];
  if (notice !== undefined) return splitLine([span(notice.text, notice.tone === "info" ? "accent" : notice.tone)], right, width);
  const hints = app.hints();
  const room = width - more.length;
  // The last hint is the way out or the key that lists all others, so it is always shown.
  const last = hints.at(-1);
  const kept = last === undefined ? 0 : lengthOf(last);
  const row: Hint[] = [];
  for (const hint of hints.slice(0, -1)) {
    if (row.length > 0 && row.reduce((sum, each) => sum + lengthOf(each), lengthOf(hint) + kept) > room) break;
    row.push(hint);
  }
  const shown = last === undefined ? row : [...row, last];
  const spans = shown.flatMap(({ key, words }): Span[] => [span(key, "accent"), span(` ${words}  `, "dim")]);
  return splitLine(app.isSending() ? [span("Sending…", "dim")] : spans, right, width);
}

const lengthOf = ({ key, words }: Hint): number => key.length + words.length + 3;
