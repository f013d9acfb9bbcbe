import type { App } from "../app/app.ts";
import { optionsOf, questionOf } from "../app/form-items.ts";
import type { Action } from "../keys/keymap.ts";
import { line, type Row, type Span, span } from "../text/row.ts";

type Hint = readonly [string, string];

/** The row at the bottom: what just happened, else the keys that matter here. */
export function hintRow(app: App, width: number): Row {
  const { notice } = app.ui;
  if (notice !== undefined) return line([span(notice.text, notice.tone === "info" ? "accent" : notice.tone)], width);
  const row: Span[] = [];
  let used = 0;
  for (const [key, words] of hintsOf(app)) {
    const length = key.length + words.length + 3;
    if (used > 0 && used + length > width) break;
    row.push(span(key, "accent"), span(` ${words}  `, "dim"));
    used += length;
  }
  return line(row, width);
}

function hintsOf(app: App): Hint[] {
  const { ui } = app;
  const key = (action: Action, words: string): Hint => [shown(app.options.keymap.keysOf(action)[0] ?? ""), words];
  const help = key("help", "keys");
  if (ui.overlay?.kind === "cancel") return [["enter", "turn down"], ["esc", "back"]];
  if (ui.overlay?.kind === "moreTime") return [["enter", "choose"], ["esc", "back"]];
  if (ui.overlay !== undefined) return [["↑↓", "scroll"], ["esc", "close"]];
  const target = ui.editing?.target.kind;
  if (target === "filter" || target === "query") return [["enter", "done"], ["esc", "clear"]];
  if (ui.focus === "list") return listHints(app, key, help);
  const state = app.form()?.getState();
  if (state === undefined || state.phase === "settled") return [["enter", "close"], ["↑↓", "scroll"]];
  if (state.phase === "sending") return [["", "Sending…"]];
  if (state.phase === "scheduled") return [key("undo", "take it back"), ["esc", "list"]];
  const goes = state.steps === 1 ? "send" : "go on";
  if (target !== undefined) {
    const enters = target === "text" ? goes : "done";
    return [["enter", enters], key("newline", "new line"), ["esc", "stop typing"], key("editor", "editor"), ["tab", "next"]];
  }
  const question = questionOf(state);
  if (question === undefined) return [["enter", "send or change"], ["1–9", "change"], key("comment", "comment"), ["esc", "list"], help];
  const isChoice = optionsOf(question).length > 0;
  const picks: Hint[] = isChoice ? [["1–9", "pick"], ["enter", question.type === "multi-select" ? goes : `pick, ${goes}`]] : [["enter", "type"]];
  const advised = optionsOf(question).some(({ recommended }) => recommended === true) ? [key("recommended", "recommended")] : [];
  const skips = question.required ? [] : [key("skip", "skip")];
  const note: Hint = question.type === "confirm" ? ["alt+n", "note"] : key("note", "note");
  return [...picks, ...advised, ...skips, note, key("cancel", "turn down"), key("moreTime", "more time"), ["esc", "list"], help];
}

function listHints(app: App, key: (action: Action, words: string) => Hint, help: Hint): Hint[] {
  const isHistory = app.ui.view === "history";
  const open: Hint[] = app.entries().length === 0 ? [] : [["enter", "open"]];
  return [...open, key("search", "search"), isHistory ? ["esc", "inbox"] : key("history", "history"), help, key("quit", "leave")];
}

const shown = (key: string): string => ({ escape: "esc", pagedown: "pgdn", pageup: "pgup" })[key] ?? key;
