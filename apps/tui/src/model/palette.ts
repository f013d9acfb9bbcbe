import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { sessionTitle } from "@askbox/inbox";
import {
  askedFrom,
  type CommandText,
  matchingCommands,
  otherItems,
  type PaletteItem,
  placeAfter,
  questionItems,
} from "@askbox/inbox/commands";
import { groupings } from "@askbox/inbox/list";
import { exactText } from "@askbox/terminal-text";
import type { KeyPress } from "../editor/editor.ts";
import { showAgents } from "./agent-keys.ts";
import { showGrants } from "./grant-keys.ts";
import { showHistory, showInbox } from "./list-keys.ts";
import { putOff } from "./menus.ts";
import { open, reselect, resumeText } from "./navigate.ts";
import { questionText } from "./question-text.ts";
import { showRan } from "./ran-keys.ts";
import { startEditing } from "./text-fields.ts";
import type { Seen, Turn } from "./turn.ts";
import { initialUi, type UiState } from "./ui-state.ts";
import { agentStates, grantPlace, grantText, groupName, snoozeTime } from "./words.ts";

export interface PaletteCommand extends CommandText {
  run(turn: Turn): void;
}

/** Opens the palette. A character right after typed text belongs to that text. */
export function showPalette(turn: Turn, { text }: Pick<KeyPress, "text">): void {
  if (turn.seen.once || (text !== undefined && turn.seen.look.typing.isGoingOn)) return;
  turn.set({ grants: initialUi.grants, agents: initialUi.agents });
  startEditing(turn, { kind: "palette" });
  turn.do({ kind: "readGrants" });
  turn.do({ kind: "readAgents" });
}

/** Keys in the palette besides those that edit its text. Returns whether the key was handled. */
export function paletteKey(turn: Turn, name: string): boolean {
  const { overlay } = turn.ui;
  if (overlay?.kind !== "palette") return false;
  const found = () => paletteCommands(turn.ui, turn.seen);
  const page = Math.max(1, turn.seen.viewport.bodyRows - 1);
  const by = { up: -1, down: 1, pageUp: -page, pageDown: page }[turn.seen.keymap.find(name, ["pageUp", "pageDown"] as const) ?? name];
  if (by !== undefined) {
    const at = Math.max(0, Math.min(found().length - 1, overlay.at + by));
    turn.set({ overlay: { kind: "palette", at } });
    return true;
  }
  const command = turn.is(name, "confirm") ? found()[overlay.at] : undefined;
  if (command === undefined && !turn.is(name, "back") && name !== "tab") return turn.is(name, "confirm");
  turn.set({ overlay: undefined, editing: undefined });
  command?.run(turn);
  resumeText(turn);
  return true;
}

/** The commands that match what is typed; there is always one. */
export function paletteCommands(ui: UiState, seen: Seen): PaletteCommand[] {
  const query = ui.editing?.target.kind === "palette" ? ui.editing.buffer.text : "";
  const words = query.trim();
  const search = (turn: Turn) => toInbox(turn, { filter: words });
  return [
    ...matchingCommands(commandsOf(ui, seen), query),
    ...(words === "" ? [] : [{ label: `Search the inbox for “${words}”`, run: search }]),
  ];
}

function commandsOf(ui: UiState, seen: Seen): PaletteCommand[] {
  const id = ui.focus === "form" ? ui.open : ui.selected;
  const form = id === undefined ? undefined : seen.form(id);
  const all = seen.entries({ ...ui, view: "inbox", narrowing: {}, grouping: undefined, filter: "", unfolded: true });
  const sessions = all.flatMap((entry) => ("session" in entry ? entry.session : []));
  const agents = ui.agents.all ?? [];
  const say = (item: PaletteItem) => commandOf(item, seen.now);
  const own =
    form === undefined
      ? []
      : [
          { label: "Copy this question", run: (turn: Turn) => turn.do({ kind: "copy", text: questionText(form) }) },
          { label: "Open this question in the browser", run: (turn: Turn) => turn.do({ kind: "openInBrowser", id: form.session.id }) },
        ];
  return [
    ...questionItems(form?.session, sessions, agents, seen.now).map(say),
    ...own,
    ...views,
    ...otherItems(sessions, agents, ui.grants.all ?? []).map(say),
  ];
}

const views: readonly PaletteCommand[] = [
  { label: "Inbox", synonyms: "questions list", run: (turn) => toInbox(turn, {}) },
  { label: "Agents", synonyms: "conversations", run: showAgents },
  { label: "History", synonyms: "settled answered past", run: (turn) => toList(turn, showHistory) },
  { label: "What ran without you", synonyms: "activity log auto mode unasked", run: showRan },
  { label: "Grants", synonyms: "permissions allow approvals settings", run: showGrants },
  { label: "Keyboard shortcuts", synonyms: "help keys", run: (turn) => turn.set({ overlay: { kind: "help", top: 0 } }) },
  ...([undefined, ...groupings] as const).map((by) => ({
    label: by === undefined ? "Don't group the list" : `Group the list by ${by}`,
    run: (turn: Turn) => toInbox(turn, { grouping: by }),
  })),
  { label: "Order: soonest deadline first", synonyms: "sort", run: (turn) => toInbox(turn, { order: "deadline" }) },
  { label: "Order: newest first", synonyms: "sort", run: (turn) => toInbox(turn, { order: "newest" }) },
];

function commandOf(item: PaletteItem, now: number): PaletteCommand {
  switch (item.does) {
    case "snooze": {
      const { session, choice } = item;
      return { label: `Snooze this question: ${snoozeTime(choice, now)}`, run: (turn) => putOff(turn, [session], choice.until) };
    }
    case "copy id":
      return { label: "Copy this question's session id", run: (turn) => turn.do({ kind: "copy", text: item.session.id }) };
    case "copy resume": {
      const detail = item.about === undefined ? { detail: clientTitle(item.agent.asker.client.name) } : {};
      return { label: "Copy the command that resumes the agent", ...detail, run: (turn) => turn.do({ kind: "copy", text: item.command }) };
    }
    case "open":
      return { label: sessionTitle(item.session), detail: askedFrom(item.session), run: (turn) => goTo(turn, item.session) };
    case "only": {
      const { by, value } = item;
      const run = (turn: Turn) => toInbox(turn, { filter: "", narrowing: { [by]: value } });
      return { label: `Show only ${groupName(by, value)}`, synonyms: "filter", run };
    }
    case "show all":
      return { label: "Show all questions", synonyms: "filter", run: (turn) => toInbox(turn, { filter: "", narrowing: {} }) };
    case "show agent": {
      const { asker, name, state, id } = item.agent;
      const run = (turn: Turn) => {
        const at = turn.ui.agents.all?.findIndex((agent) => agent.id === id) ?? -1;
        turn.set({ overlay: { kind: "agents" }, agents: { ...turn.ui.agents, item: Math.max(0, at) } });
      };
      return { label: `Agent: ${name ?? clientTitle(asker.client.name)}`, detail: placeAfter(agentStates[state], asker), run };
    }
    case "revoke": {
      const { grant } = item;
      const run = (turn: Turn) => turn.do({ kind: "readGrants", revoke: grant.id });
      return { label: `Revoke: ${exactText(grantText(grant))}`, detail: `${grant.client} · ${grantPlace(grant)}`, run };
    }
  }
}

function goTo(turn: Turn, { id }: SessionView): void {
  turn.set({ view: "inbox", selected: id });
  open(turn, id, "form");
}

/** Shows a list, with the focus on it. */
function toList(turn: Turn, show: (turn: Turn) => void): void {
  turn.focus(undefined);
  turn.set({ focus: "list" });
  show(turn);
}

/** Shows the inbox, filtered or arranged differently. */
function toInbox(turn: Turn, change: Partial<UiState>): void {
  toList(turn, (at) => {
    if (at.ui.view !== "inbox") showInbox(at);
    at.set(change);
    reselect(at);
  });
}
