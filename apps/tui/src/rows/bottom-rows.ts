/** The two lines at the edges of the screen: the bar with what is listed or searched, and the last notice or the keys that matter here. */
import type { Question } from "@askbox/core";
import { offeredOptions } from "@askbox/core/questions";
import type { Field } from "@askbox/inbox";
import { digitOfOption } from "@askbox/inbox/commands";
import { groupings, waitingIn } from "@askbox/inbox/list";
import { historyNames } from "@askbox/inbox/text";
import { truncateLine } from "@askbox/terminal-text";
import type { App } from "../app/app.ts";
import { editorRows } from "../editor/editor.ts";
import type { Hint } from "../model/hints.ts";
import { type EditTarget, foundGrants, foundRan, isSearch } from "../model/ui-state.ts";
import { groupName } from "../model/words.ts";
import { line, type Row, type Span, span, splitLine } from "../text/row.ts";

const searchLabel = ({ kind }: EditTarget): string => (kind === "palette" ? "Go to or do: " : "Search: ");

/** Whether an overlay replaces the panes with a list of its own. */
export const replacesPanes = (overlay: App["ui"]["overlay"]): boolean =>
  overlay?.kind === "grants" || overlay?.kind === "ran" || overlay?.kind === "agents" || overlay?.kind === "palette";

/** Where the terminal's cursor stands while a search is typed. */
export function searchCursor({ ui: { editing } }: App, columns: number): { x: number; y: number } | undefined {
  if (editing === undefined || !isSearch(editing.target)) return undefined;
  const { column } = editorRows(editing.buffer, 10_000).cursor;
  return { x: Math.min(columns - 1, searchLabel(editing.target).length + column), y: 0 };
}

export function barRow(app: App, width: number): Row {
  const { ui, options } = app;
  const { pending, connection, ready, refusal } = options.inbox.getState();
  const { editing } = ui;
  if (editing !== undefined && isSearch(editing.target)) {
    return line([span(searchLabel(editing.target), "accent"), span(editing.buffer.text)], width);
  }
  const isLost = ready && connection === "lost";
  const state =
    refusal !== undefined ? [span(refusal.message, "error")] : isLost ? [span("hub not reachable – trying again", "error")] : [];
  const isGrants = ui.overlay?.kind === "grants";
  const isRan = ui.overlay?.kind === "ran";
  const isAgents = ui.overlay?.kind === "agents";
  const search = isAgents ? "" : isGrants ? ui.grants.query : isRan ? ui.ran.query : ui.view === "history" ? ui.history.query : ui.filter;
  const ending = ui.view === "history" && ui.history.ending !== undefined ? [historyNames[ui.history.ending]] : [];
  const isInbox = !isGrants && !isRan && !isAgents && ui.view === "inbox";
  const only = isInbox ? groupings.flatMap((by) => (ui.narrowing[by] === undefined ? [] : groupName(by, ui.narrowing[by]))) : [];
  const selected = isInbox ? app.selectedCount() : 0;
  const narrowed = [
    ...(selected === 0 ? [] : [`${selected} selected`]),
    ...(search === "" ? [] : [`“${search}”`]),
    ...only,
    ...(isGrants || isRan || isAgents ? [] : ending),
  ].map((what) => span(`  ${what}`, "warning"));
  const found = foundGrants(ui.grants).length;
  const count = isGrants
    ? `${found} ${found === 1 ? "grant" : "grants"}`
    : isRan
      ? ranWords(foundRan(ui.ran).length, ui.ran.list?.areMore === true)
      : isAgents
        ? agentWords(ui.agents.all?.length)
        : ui.view === "history"
          ? `${ui.history.items.length}${ui.history.nextCursor === undefined ? "" : "+"} settled`
          : waitingWords(waitingIn(pending) - ui.held.length);
  const name = isGrants
    ? "askbox grants"
    : isRan
      ? "askbox ran"
      : isAgents
        ? "askbox agents"
        : ui.view === "history"
          ? "askbox history"
          : "askbox";
  return splitLine([span(name, "heading"), span(`  ${ready ? count : "connecting"}`, "dim"), ...narrowed], state, width);
}

const ranWords = (count: number, areMore: boolean): string => `${count}${areMore ? "+" : ""} ${count === 1 ? "action" : "actions"}`;
const agentWords = (count = 0): string => (count === 0 ? "" : count === 1 ? "1 agent" : `${count} agents`);
const waitingWords = (count: number): string =>
  count === 0 ? "no questions waiting" : count === 1 ? "1 question waiting" : `${count} questions waiting`;

/** The bottom row: the latest notice, and the keys that matter here if there is room; on the right, how much more there is to read. */
export function hintRow(app: App, width: number, more: string): Row {
  const { notice } = app.ui;
  const right = more === "" ? [] : [span(more, "accent")];
  const said = notice === undefined ? undefined : span(notice.text, notice.tone === "info" ? "accent" : notice.tone);
  const isAlone = notice?.tone === "warning" || notice?.tone === "error";
  if (said !== undefined && isAlone) return splitLine([said], right, width);
  const isSaid = said !== undefined && (notice?.until ?? Number.POSITIVE_INFINITY) > app.now();
  const before = isSaid ? [said, span("  ")] : [];
  const hints = app.hints();
  const room = width - more.length - right.length - before.reduce((sum, { text }) => sum + text.length, 0);
  // The last hint is the way out or the key that lists all others, so it is always shown.
  const last = hints.at(-1);
  const kept = lengthOf(last);
  if (isSaid && lengthOf(hints[0]) + (hints.length > 1 ? kept : 0) > room) return splitLine([said], right, width);
  const row: Hint[] = [];
  for (const hint of hints.slice(0, -1)) {
    if (row.length > 0 && row.reduce((sum, each) => sum + lengthOf(each), lengthOf(hint) + kept) > room) break;
    row.push(hint);
  }
  const shown = last === undefined ? row : [...row, last];
  const spans = shown.flatMap(({ key, words }): Span[] => [span(key, "accent"), span(` ${words}  `, "dim")]);
  return splitLine(app.isSending() ? [span("Sending…", "dim")] : [...before, ...spans], right, width);
}

const lengthOf = (hint: Hint | undefined): number => (hint === undefined ? 0 : hint.key.length + hint.words.length + 3);

/**
 * The verdicts on a document with their keys, in one row. Without room for all of it, only the picked one has a mark, and the longest are
 * shortened.
 */
export function verdictRow(question: Question, field: Field, width: number): Row {
  const verdicts = offeredOptions(question).map(({ label, value }, index) => {
    return { label, key: `${digitOfOption(index) ?? ""} `, isOn: field.values.includes(value) };
  });
  const gaps = 2 * (verdicts.length - 1);
  const lengthWith = (marks: number) => verdicts.reduce((sum, { key, label }) => sum + key.length + label.length, gaps + marks * 4);
  const isRoomy = lengthWith(verdicts.length) <= width;
  const markOf = (isOn: boolean) => (isOn ? "(•) " : isRoomy ? "( ) " : "");
  let room = width - gaps - verdicts.reduce((sum, { key, isOn }) => sum + key.length + markOf(isOn).length, 0);
  const shares = new Map<string, number>();
  // Shortest first: each gets what it needs, up to an equal share of the rest.
  const byLength = [...verdicts].sort((one, other) => one.label.length - other.label.length);
  for (const [done, { label }] of byLength.entries()) {
    const share = Math.max(1, Math.min(label.length, Math.floor(room / (byLength.length - done))));
    shares.set(label, share);
    room -= share;
  }
  return line(
    verdicts.flatMap(({ key, isOn, label }, index): Span[] => [
      span(`${index === 0 ? "" : "  "}${markOf(isOn)}`, isOn ? "accent" : "dim"),
      span(key, "accent"),
      span(truncateLine(label, shares.get(label) ?? 1), isOn ? "selection" : undefined),
    ]),
    width,
  );
}
