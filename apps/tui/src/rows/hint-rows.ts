import { isTyped, offeredOptions, type TypedQuestion, traitsOf } from "@askbox/core/questions";
import { type KeyActionName, typingKey } from "@askbox/react/keymap";
import type { App } from "../app/app.ts";
import { isDecision, questionOf, typedQuestion } from "../model/form-items.ts";
import { isDate, isOneLine } from "../model/typed-keys.ts";
import { isSearch } from "../model/ui-state.ts";
import { unsentText } from "../model/unsent.ts";
import { shortKey } from "../model/words.ts";
import { type Row, type Span, span, splitLine } from "../text/row.ts";

type Hint = readonly [string, string];

/** The bottom row: the latest notice, otherwise the keys that matter here; on the right, how much more there is to read. */
export function hintRow(app: App, width: number, more: string): Row {
  const { notice } = app.ui;
  const right = more === "" ? [] : [span(more, "accent")];
  if (notice !== undefined) return splitLine([span(notice.text, notice.tone === "info" ? "accent" : notice.tone)], right, width);
  const hints = hintsOf(app);
  const room = width - more.length;
  // The last hint is the key that lists all others, so it is always shown.
  const last = hints.at(-1);
  const kept = last === undefined ? 0 : lengthOf(last);
  const row: Hint[] = [];
  for (const hint of hints.slice(0, -1)) {
    if (row.length > 0 && row.reduce((sum, each) => sum + lengthOf(each), lengthOf(hint) + kept) > room) break;
    row.push(hint);
  }
  const shownHints = last === undefined ? row : [...row, last];
  return splitLine(
    shownHints.flatMap(([key, words]): Span[] => [span(key, "accent"), span(` ${words}  `, "dim")]),
    right,
    width,
  );
}

const lengthOf = ([key, words]: Hint): number => key.length + words.length + 3;

function hintsOf(app: App): Hint[] {
  const { ui } = app;
  const key = (action: KeyActionName, words: string): Hint => [shortKey(app.options.keymap.keysOf(action)[0] ?? ""), words];
  const help = key("help", "keys");
  if (ui.overlay?.kind === "cancel")
    return [
      ["enter", isDecision(app.openSession()) ? "deny" : "decline"],
      ["esc", "back"],
    ];
  if (ui.overlay?.kind === "askBack") return [["enter", "ask"], key("newline", "new line"), key("editor", "editor"), ["esc", "close"]];
  if (ui.overlay !== undefined && "item" in ui.overlay)
    return [
      ["enter", "choose"],
      ["esc", "back"],
    ];
  if (ui.overlay?.kind === "grants" && ui.editing === undefined)
    return [key("revoke", "revoke"), key("search", "search"), ["esc", ui.grants.query === "" ? "close" : "all grants"]];
  if (ui.overlay !== undefined && ui.editing === undefined)
    return [
      ["↑↓", "scroll"],
      ["esc", "close"],
    ];
  const target = ui.editing?.target.kind;
  if (isSearch(ui.editing?.target))
    return [
      ["enter", "done"],
      ["esc", "clear"],
    ];
  if (ui.focus === "list") return listHints(app, key, help);
  const state = app.form()?.getState();
  if (state === undefined || state.phase === "settled")
    return [
      ["enter", app.replacement() === undefined ? "close" : "open the new questions"],
      ...(state !== undefined && unsentText(state, ui.unsent[state.session.id]) !== undefined ? [key("copy", "copy what you wrote")] : []),
      ["↑↓", "scroll"],
    ];
  if (state.phase === "sending") return [["", "Sending…"]];
  if (state.phase === "scheduled") return [key("undo", "undo"), ["esc", "list"]];
  const goes = state.steps === 1 ? "send" : "go on";
  if (target !== undefined) {
    const typed = typedQuestion(state, ui.editing?.target);
    if (typed !== undefined && isOneLine(typed)) return lineHints(app, typed, goes);
    const enters = target === "text" ? goes : "done";
    return [
      ["enter", enters],
      ...suggestionHint(app, typed),
      key("newline", "new line"),
      key("editor", "editor"),
      ["tab", "next"],
      ["esc", "stop typing"],
    ];
  }
  const question = questionOf(state);
  if (question === undefined)
    return [["enter", "send or change"], ["1–9", "change"], key("comment", "comment"), key("askBack", "ask first"), ["esc", "list"], help];
  const isChoice = offeredOptions(question).length > 0;
  const suggested = isTyped(question) && question.suggestion !== undefined ? [key("recommended", "suggestion")] : [];
  const { picks: how } = traitsOf(question);
  const isRanked = (state.fields[question.id]?.values.length ?? 0) > 0;
  const ranks: Hint[] = [
    ["shift+↑↓", "move"],
    ["1–9", "rank"],
    ["enter", isRanked ? goes : "keep order"],
  ];
  const choices: Hint[] = isChoice
    ? [
        ["1–9", "pick"],
        ["enter", goes],
      ]
    : isTyped(question)
      ? [["enter", "type"]]
      : [["enter", goes]];
  const picks =
    how === "order" ? ranks : how === "decision" ? [key("no", "deny"), key("allow", "allow once"), ["↑↓", "choose"] as Hint] : choices;
  const advised =
    how !== "order" && offeredOptions(question).some(({ recommended }) => recommended === true)
      ? [key("recommended", "recommended")]
      : suggested;
  const skips = question.required ? [] : [key("skip", "skip")];
  return [
    ...picks,
    ...advised,
    ...skips,
    key("note", "note"),
    key("cancel", isDecision(state.session) ? "deny, with a reason" : "decline"),
    ...(how === "decision" ? [] : [key("askBack", "ask first")]),
    key("moreTime", "more time"),
    ["esc", "list"],
    help,
  ];
}

/** While a number, a date or a text with a format is being edited. */
function lineHints(app: App, question: TypedQuestion, goes: string): Hint[] {
  const days: Hint[] = isDate(question)
    ? [
        ["↑↓", "day"],
        ["shift+↑↓", "month"],
      ]
    : [];
  return [["enter", goes], ...suggestionHint(app, question), ...days, ["tab", "next"], ["esc", "stop typing"]];
}

function suggestionHint(app: App, question: TypedQuestion | undefined): Hint[] {
  const key = typingKey(app.options.keymap, "recommended");
  return question?.suggestion === undefined || key === "" ? [] : [[key, "suggestion"]];
}

function listHints(app: App, key: (action: KeyActionName, words: string) => Hint, help: Hint): Hint[] {
  const isHistory = app.ui.view === "history";
  const open: Hint[] = app.entries().length === 0 ? [] : [["enter", "open"]];
  return [
    ...open,
    key("search", "search"),
    ...(isHistory ? [] : [key("arrange", "filter"), key("snooze", "snooze")]),
    isHistory ? ["esc", "inbox"] : key("history", "history"),
    key("grants", "grants"),
    key("quit", "leave"),
    help,
  ];
}
