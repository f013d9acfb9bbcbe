/**
 * Lists: the sessions at the left, and those that take the place of the panes: agents, grants, the palette and the keys. Only what is visible is
 * laid out, whatever the length of the list; a selected agent or grant is shown in full, with as many others as there is room for.
 */
import type { Grant, SessionView } from "@askbox/core";
import { type Conversation, clientTitle } from "@askbox/core/clients";
import { isDenied } from "@askbox/core/questions";
import { questionLine, sessionTitle } from "@askbox/inbox";
import { type Keymap, type KeyPlace, keyPlaces } from "@askbox/inbox/commands";
import type { RanItem } from "@askbox/inbox/list";
import { ago, letByText, roundedDuration, shortDuration, timeLeft, timeOfDay } from "@askbox/inbox/text";
import { exactText, terminalLine } from "@askbox/terminal-text";
import type { Hint } from "../model/hints.ts";
import type { PaletteCommand } from "../model/palette.ts";
import { type AgentsState, foundGrants, foundRan, type GrantsState, type ListEntry, type RanState } from "../model/ui-state.ts";
import {
  agentOf,
  agentStates,
  answerWords,
  grantPlace,
  grantText,
  needWords,
  placeOf,
  presenceWords,
  snoozeWords,
  threadWords,
  timeStyle,
} from "../model/words.ts";
import { emptyRow, line, type Row, type Span, span, splitLine, wrap } from "../text/row.ts";
import type { Token } from "../theme/theme.ts";

interface ListView {
  entries: readonly ListEntry[];
  selected: string | undefined;
  /** Those that are selected, to decline or snooze them at once. */
  selection: readonly string[];
  hasFocus: boolean;
  unfolded: boolean;
  width: number;
  height: number;
  now: number;
  plain: boolean;
  /** The texts that were searched for, to mark them. */
  searchTerms: readonly string[];
  /** Sessions with a draft. */
  drafts: { has(id: string): boolean };
  /** The first visible entry of the previous frame; scrolls as little as possible. */
  before: number;
}

export const rowsOfEntry = 2;

/** The visible entries, two rows each. Only these are laid out, whatever the length of the list. */
export function listRows(view: ListView): { rows: Row[]; top: number } {
  const { entries, selected, height } = view;
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === selected),
  );
  const top = Math.max(Math.min(view.before, at, firstOf(entries, entries.length - 1, height)), firstOf(entries, at, height));
  const rows: Row[] = [];
  for (const entry of entries.slice(top)) {
    if (rows.length > 0 && rows.length + heightOf(entry) > height) break;
    rows.push(...entryRows(view, entry));
  }
  return { rows, top };
}

const heightOf = (entry: ListEntry): number => rowsOfEntry + ("heading" in entry ? 1 : 0);

/** The first entry that fits on the screen together with this one. */
function firstOf(entries: readonly ListEntry[], last: number, height: number): number {
  let left = height;
  let first = last;
  for (let at = last; at >= 0; at -= 1) {
    left -= heightOf(entries[at] as ListEntry);
    if (left < 0) break;
    first = at;
  }
  return first;
}

function entryRows(view: ListView, entry: ListEntry): Row[] {
  const { width, selected, hasFocus, now, plain } = view;
  const isSelected = entry.id === selected;
  const mark = span(isSelected ? (plain ? "current: " : hasFocus ? "› " : "· ") : "  ", "accent");
  const token: Token | undefined = isSelected && hasFocus ? "selection" : undefined;
  if (!("session" in entry)) {
    const words = `${entry.count} whose agent has left`;
    return [
      line([mark, span(words, token ?? "dim")], width),
      line([span(`    ${view.unfolded ? "shown below" : "enter shows them"}`, "dim")], width),
    ];
  }
  const { session } = entry;
  const isChosen = view.selection.includes(session.id);
  const box =
    view.selection.length === 0
      ? []
      : [span(plain ? (isChosen ? "selected, " : "") : isChosen ? "[x] " : "[ ] ", isChosen ? "accent" : "dim")];
  const title = [mark, ...box, ...marked(span(sessionTitle(session), token, isSelected ? { strong: true } : {}), view.searchTerms)];
  const draft = view.drafts.has(session.id) ? [span("draft ", "warning")] : [];
  const right =
    session.status === "pending"
      ? span(timeLeft(session.deadlineAt, now), timeStyle(session, now))
      : span(timeOfDay(session.closedAt ?? 0, now), "dim");
  const heading = entry.heading === undefined ? [] : [line([span(entry.heading, "heading")], width)];
  return [
    ...heading,
    splitLine(title, [...draft, right], width),
    splitLine(
      marked(span(`  ${factsOf(session, now)}`, isDenied(session) ? "error" : "dim"), view.searchTerms),
      [span(ageOf(session, now), "dim")],
      width,
    ),
  ];
}

/** A text with what was searched for in it swapped in colour. */
function marked(whole: Span, searchTerms: readonly string[]): Span[] {
  const { text } = whole;
  const lower = text.toLowerCase();
  // In a few languages lower case is longer, and positions would differ.
  if (lower.length !== text.length) return [whole];
  const spans: Span[] = [];
  for (let from = 0; from < text.length; ) {
    const hits = searchTerms.map((each) => ({ at: lower.indexOf(each, from), length: each.length })).filter(({ at }) => at >= 0);
    const { at, length } = hits.sort((one, other) => one.at - other.at)[0] ?? { at: text.length, length: 0 };
    spans.push({ ...whole, text: text.slice(from, at) }, { ...whole, text: text.slice(at, at + length), reverse: true });
    from = at + length;
  }
  return spans.filter((each) => each.text !== "");
}

function factsOf(session: SessionView, now: number): string {
  const parts =
    session.status === "pending"
      ? [snoozeWords(session, now), threadWords(session) || needWords(session), placeOf(session), agentOf(session), presenceWords(session)]
      : [answerWords(session), placeOf(session)];
  return parts.filter((part) => part !== "").join(" · ");
}

/** How long a question has been waiting, or how long ago it was settled. */
const ageOf = ({ createdAt, closedAt }: SessionView, now: number): string =>
  closedAt === null ? shortDuration(now - createdAt) : `${shortDuration(now - closedAt)} ago`;

interface AgentsView {
  agents: AgentsState;
  width: number;
  height: number;
  now: number;
  plain: boolean;
}

/** Agents, those that wait first: two lines each, and the selected one with its last questions and how to resume it. */
export function agentRows({ agents, width, height, now, plain }: AgentsView): Row[] {
  const failure = agents.failure === undefined ? [] : wrap([span(agents.failure, "error")], width);
  const { all, item } = agents;
  const selected = all?.[item];
  if (selected === undefined) {
    const words = all === undefined ? (agents.failure === undefined ? "Loading…" : "") : "No agent has asked yet.";
    return [...failure, ...wrap([span(words, "dim")], width)];
  }
  const room = Math.max(1, height - failure.length);
  const rows = [headRow(selected, now, width, plain ? "current: " : "› "), ...detailRows(selected, width)].slice(0, room);
  return [...failure, ...aroundSelected(all ?? [], item, rows, room, (agent) => [headRow(agent, now, width, "  "), lastRow(agent, width)])];
}

function headRow({ asker, name, state, since, undelivered }: Conversation, now: number, width: number, mark: string): Row {
  const isSelected = mark.trim() !== "";
  const who = terminalLine(name ?? [clientTitle(asker.client.name), asker.agentId].filter((part) => part !== undefined).join(" · "));
  const place = [terminalLine(placeOf({ asker }))].filter((part) => part !== "");
  const mail = undelivered === 0 ? [] : [`${undelivered} not delivered`];
  const where = [...place, ...mail].map((part) => ` · ${part}`).join("");
  const time = shortDuration(Math.max(0, now - since));
  const left = [span(mark, "accent"), span(who, isSelected ? "selection" : undefined), span(where, "dim")];
  const tone = state === "waiting" ? "accent" : "dim";
  return splitLine(left, [span(`${agentStates[state]} · ${state === "waiting" ? time : `${time} ago`}`, tone)], width);
}

const lastRow = ({ sessions }: Conversation, width: number): Row =>
  line([span(`  ${terminalLine(sessions[0] === undefined ? "" : (sessions[0].title ?? questionLine(sessions[0])))}`, "dim")], width);

function detailRows({ sessions, state, resume, output }: Conversation, width: number): Row[] {
  const asked = sessions.map(({ title, question, status }) =>
    splitLine(
      [span(`  ${terminalLine(title ?? question)}`)],
      [span(status === "pending" ? "waiting" : status.replace("_", " "), "dim")],
      width,
    ),
  );
  const last = output?.trim().split("\n").at(-1);
  if (last !== undefined)
    asked.push(...wrap([span("Printed in the background: ", "dim"), span(terminalLine(last))], width, { first: [span("  ")] }));
  if (state !== "gone" || resume === undefined) return asked;
  return [...asked, ...wrap([span("Resume: ", "dim"), span(terminalLine(resume.command))], width, { first: [span("  ")] })];
}

interface GrantsView {
  grants: GrantsState;
  width: number;
  height: number;
  now: number;
  plain: boolean;
}

const scopes: Readonly<Record<Grant["scope"], string>> = { session: "one conversation", project: "the project" };

/** What agents may do without asking: one line each, and the selected one in full. */
export function grantRows({ grants, width, height, now, plain }: GrantsView): Row[] {
  const failure = grants.failure === undefined ? [] : wrap([span(grants.failure, "error")], width);
  const found = foundGrants(grants);
  const selected = found[grants.item];
  if (selected === undefined) return [...failure, ...wrap([span(emptyWords(grants), "dim")], width)];
  const mark = plain ? "current: " : "› ";
  const text = wrap([span(mark, "accent"), span(exactText(grantText(selected)), "selection")], width);
  const room = Math.max(1, height - failure.length);
  // A long text never hides whose grant it is.
  const rows = [...text.slice(0, Math.max(1, room - 1)), factsRow(selected, now, width)];
  return [...failure, ...aroundSelected(found, grants.item, rows, room, (grant) => grantLines(grant, now, width))];
}

/** The rows of the selected item in a list, and around it two rows for each of the others for which there is room, half of them above. */
function aroundSelected<Item>(
  items: readonly Item[],
  at: number,
  rows: readonly Row[],
  height: number,
  linesOf: (item: Item) => Row[],
): Row[] {
  const others = Math.max(0, Math.floor((height - rows.length) / 2));
  const above = Math.min(at, Math.max(Math.floor(others / 2), others - (items.length - at - 1)));
  const before = items.slice(at - above, at);
  return [...before.flatMap(linesOf), ...rows, ...items.slice(at + 1, at + 1 + others - above).flatMap(linesOf)];
}

function emptyWords({ all, query, failure }: GrantsState): string {
  if (all === undefined) return failure === undefined ? "Loading…" : "";
  return query === "" ? "There are no grants: agents ask every time." : "No grants match.";
}

const grantLines = (grant: Grant, now: number, width: number): Row[] => [
  line([span("  "), span(terminalLine(grantText(grant)))], width),
  factsRow(grant, now, width),
];

function factsRow({ client, project, machine, scope, expiresAt }: Grant, now: number, width: number): Row {
  const facts = `  ${terminalLine(clientTitle(client))} · ${terminalLine(grantPlace({ project, machine }))} · ${scopes[scope]}`;
  return splitLine([span(facts, "dim")], [span(`${roundedDuration(Math.max(0, expiresAt - now))} left`, "dim")], width);
}

interface RanView {
  ran: RanState;
  width: number;
  height: number;
  now: number;
  plain: boolean;
}

/** What ran without a person, newest first: two lines each, and the selected one in full. */
export function ranRows({ ran, width, height, now, plain }: RanView): Row[] {
  const failure = ran.failure === undefined ? [] : wrap([span(ran.failure, "error")], width);
  const found = foundRan(ran);
  const selected = found[ran.item];
  if (selected === undefined) return [...failure, ...wrap([span(noRanWords(ran), "dim")], width)];
  const room = Math.max(1, height - failure.length);
  const text = wrap([span(plain ? "current: " : "› ", "accent"), span(exactText(ranText(selected)), "selection")], width);
  const facts = ranFacts(selected, now, width);
  const rows = [...text.slice(0, Math.max(1, room - 1)), facts];
  const linesOf = (item: RanItem) => [
    line([span(`  ${exactText(ranText(item)).replace(/\s+/g, " ")}`)], width),
    ranFacts(item, now, width),
  ];
  return [...failure, ...aroundSelected(found, ran.item, rows, room, linesOf)];
}

function noRanWords({ list, query, failure }: RanState): string {
  if (list === undefined) return failure === undefined ? "Loading…" : "";
  if (!list.isOn)
    return "The hub doesn't keep what ran without you. `askbox config set ran 7d` turns that on at its next start, and `askbox install claude-code --approvals --ran` makes Claude Code report every call.";
  return query === "" ? "Nothing has run without you yet." : "Nothing matches.";
}

const ranText = ({ tool, what }: RanItem): string => (tool === undefined ? what : `${tool}: ${what}`);

function ranFacts(item: RanItem, now: number, width: number): Row {
  const { at, reach, failed, project, machine } = item;
  const facts = [...reach, ...(failed ? ["failed"] : []), `let by ${letByText(item, terminalLine)}`];
  if (project !== undefined) facts.push(terminalLine(grantPlace({ project, machine })));
  return splitLine([span(`  ${facts.join(" · ")}`, "dim")], [span(ago(at, now), "dim")], width);
}

interface PaletteView {
  commands: readonly PaletteCommand[];
  /** The one that Enter runs. */
  at: number;
  width: number;
  height: number;
  plain: boolean;
}

/** The commands around the selected one, one row each. */
export function paletteRows({ commands, at, width, height, plain }: PaletteView): Row[] {
  const top = Math.max(0, Math.min(at - Math.floor(height / 2), commands.length - height));
  return commands.slice(top, top + height).map(({ label, detail }, index) => {
    const isAt = top + index === at;
    const mark = span(isAt ? (plain ? "current: " : "› ") : "  ", "accent");
    return line([mark, span(label, isAt ? "selection" : undefined), ...(detail === undefined ? [] : [span(`  ${detail}`, "dim")])], width);
  });
}

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
    if (fixed[place] === undefined && keymap.actionsIn(place).length === 0) continue;
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
