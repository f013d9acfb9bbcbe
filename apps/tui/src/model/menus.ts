import type { SessionView } from "@askbox/core";
import { type GrantDraft, wordsOfPlainCommand } from "@askbox/core/grants";
import { grantDuration, offeredOptions } from "@askbox/core/questions";
import type { FormState, SortOrder } from "@askbox/inbox";
import { grantTimes, groupings, groupSessions, snoozeChoices, snoozedUntil } from "@askbox/inbox/list";
import { historyNames, longDuration } from "@askbox/inbox/text";
import { exactText } from "@askbox/terminal-text";
import { advance } from "./advance.ts";
import { fieldOf, isGrant, questionOf } from "./form-items.ts";
import { leave, preview, reselect } from "./navigate.ts";
import { pastWords } from "./past-grants.ts";
import { startPrefix } from "./prefix-grant.ts";
import { selectedForms } from "./selecting.ts";
import type { Seen, Turn } from "./turn.ts";
import { endings, type MenuName, type UiState } from "./ui-state.ts";
import { groupName, shortKey, snoozeTime, snoozeWords } from "./words.ts";

interface Choice {
  label: string;
  /** Whether it is chosen already, if it can be. */
  isOn?: boolean;
  choose(turn: Turn): void;
}

export interface Menu {
  title: string;
  /** More about the choices. */
  note?: string | undefined;
  choices: readonly Choice[];
}

/** The choices of a menu. */
export function menuOf(name: MenuName, ui: UiState, seen: Seen): Menu {
  return menus[name](ui, seen);
}

const menus: Readonly<Record<MenuName, (ui: UiState, seen: Seen) => Menu>> = { moreTime, snooze, arrange, grantFor };

/** More time, in ms from now. */
const times = [
  { label: "5 minutes", timeout: 5 * 60_000 },
  { label: "15 minutes", timeout: 15 * 60_000 },
  { label: "no limit", timeout: null },
] as const;

function moreTime(): Menu {
  const choices = times.map(({ label, timeout }) => ({
    label,
    choose(turn: Turn) {
      const { open } = turn.ui;
      if (open !== undefined) turn.do({ kind: "extend", session: open, timeout, label });
    },
  }));
  return { title: "How much more time, from now?", choices };
}

/** Offers to snooze the open question, the one under the list's cursor, or those that are selected. */
export function startSnooze(turn: Turn): void {
  if (toSnooze(turn.ui, turn.seen).length > 0) turn.set({ overlay: { kind: "snooze", item: 0 } });
}

function toSnooze(ui: UiState, seen: Seen): SessionView[] {
  const { focus, open, selected } = ui;
  const several = selectedForms(ui, seen, seen.entries(ui));
  if (several.length > 0) return several.map(({ session }) => session);
  const id = focus === "form" ? open : selected;
  const form = id === undefined ? undefined : seen.form(id);
  return form?.phase === "editing" && form.session.status === "pending" ? [form.session] : [];
}

function snooze(ui: UiState, seen: Seen): Menu {
  const { now } = seen;
  const sessions = toSnooze(ui, seen);
  if (sessions.length === 0) return { title: "The question is gone.", choices: [] };
  const times = snoozeChoices(sessions, now).map((choice) => ({
    label: snoozeTime(choice, now).replace(/^./, (first) => first.toUpperCase()),
    choose: (turn: Turn) => putOff(turn, sessions, choice.until),
  }));
  const isSnoozed = sessions.some((session) => snoozedUntil(session, now) !== undefined);
  const wake = isSnoozed ? [{ label: "Not any longer", choose: (turn: Turn) => putOff(turn, sessions, null) }] : [];
  const [what, it] = sessions.length > 1 ? [`${sessions.length} questions`, "them"] : ["this question", "it"];
  const title = times.length === 0 ? `There is too little time left to snooze ${it}.` : `Snooze ${what}`;
  return { title, choices: [...wake, ...times] };
}

/** Snoozes questions until then, in wall time; null wakes them. */
export function putOff(turn: Turn, sessions: readonly SessionView[], until: number | null): void {
  const entries = turn.entries();
  const ids = sessions.map(({ id }) => id);
  const at = entries.findLastIndex((entry) => ids.includes(entry.id));
  turn.set({
    selection: [],
    snoozed: sessions.map(({ id, snoozedUntil: before = 0 }) => ({ id, before: before > turn.seen.now ? before : null })),
  });
  for (const id of ids) turn.do({ kind: "snooze", id, until });
  if (until === null || turn.seen.once) return;
  // The cursor stays where it is, and doesn't follow the questions to the end of the list.
  const isOther = (entry: { id: string }) => !ids.includes(entry.id);
  const next = entries.slice(at + 1).find(isOther) ?? entries.slice(0, at).findLast(isOther) ?? entries[at];
  turn.set({ focus: "list", selected: next?.id });
  preview(turn);
}

/** The hub has snoozed a question, or woken it. */
export function snoozed(turn: Turn, session: SessionView): void {
  if (turn.seen.once) return leave(turn);
  const until = snoozeWords(session, turn.seen.now);
  const key = shortKey(turn.seen.keymap.keysOf("undo")[0] ?? "");
  const undo = turn.ui.snoozed.length === 0 ? "" : ` ${key} undoes it.`;
  turn.say(`${until === "" ? "No longer snoozed" : until}.${undo}`, "success");
}

/** Undoes the latest snooze. Returns whether there is one. */
export function undoSnooze(turn: Turn): boolean {
  const { snoozed } = turn.ui;
  if (snoozed.length === 0) return false;
  turn.set({ snoozed: [] });
  for (const { id, before } of snoozed) turn.do({ kind: "snooze", id, until: before });
  const { focus, view } = turn.ui;
  if (focus === "list" && view === "inbox") {
    turn.set({ selected: snoozed[0]?.id });
    preview(turn);
  }
  return true;
}

export const orderNames: Readonly<Record<SortOrder, string>> = { deadline: "Soonest deadline first", newest: "Newest first" };

/** How the list is ordered and grouped, and what it is narrowed to. */
function arrange(ui: UiState, seen: Seen): Menu {
  if (ui.view === "history") return endingsMenu(ui);
  const all = seen.entries({ ...ui, narrowing: {}, filter: "", unfolded: true });
  const sessions = all.flatMap((entry) => ("session" in entry ? entry.session : []));
  const arranged = (label: string, isOn: boolean, change: Partial<UiState>): Choice => ({
    label,
    isOn,
    choose(turn) {
      turn.set(change);
      reselect(turn);
    },
  });
  // Most people have one machine.
  const isElsewhere =
    ui.grouping === "machine" || ui.grouping === "repository" || sessions.some(({ asker }) => asker.machine !== undefined);
  const groups = [undefined, ...groupings.filter((by) => (by !== "machine" && by !== "repository") || isElsewhere)].map((by) =>
    arranged(by === undefined ? "Don't group" : `Group by ${by}`, ui.grouping === by, { grouping: by }),
  );
  const only = groupings.flatMap((by) => {
    const { [by]: present, ...others } = ui.narrowing;
    const found = groupSessions(sessions, by);
    if (found.length < 2 && present === undefined) return [];
    return found.flatMap(({ value, sessions: { length } }) => {
      if (value === undefined) return [];
      const isOn = present === value;
      return arranged(`Only ${groupName(by, value)} (${length})`, isOn, { narrowing: isOn ? others : { ...others, [by]: value } });
    });
  });
  const orders = (["deadline", "newest"] as const).map((order) => arranged(orderNames[order], ui.order === order, { order }));
  return { title: "Arrange the list, or show only some", choices: [...groups, ...orders, ...only] };
}

/** The history by how sessions ended. */
function endingsMenu({ history: { query, ending } }: UiState): Menu {
  const choices = [undefined, ...endings].map((each) => ({
    label: each === undefined ? "All" : historyNames[each],
    isOn: each === ending,
    choose: (turn: Turn) => turn.do({ kind: "searchHistory", query, ending: each }),
  }));
  return { title: "Show only some of the history", choices };
}

/** Offers to allow the action from now on. */
export function startAlways(turn: Turn, form: FormState): void {
  turn.do({ kind: "readPast", session: form.session.id });
  const question = questionOf(form);
  const picked = question && fieldOf(form, question).values[0]?.split(":")[1];
  const times: readonly (string | undefined)[] = grantTimes;
  const item = Math.max(0, times.indexOf(picked));
  turn.set({ overlay: { kind: "grantFor", item, allows: true } });
}

/** How long an action is allowed from now on, or which other commands are: picked, or with `allows` allowed at once. */
function grantFor(ui: UiState, seen: Seen): Menu {
  const form = ui.open === undefined ? undefined : seen.form(ui.open);
  const question = form === undefined ? undefined : questionOf(form);
  const allows = ui.overlay?.kind === "grantFor" && ui.overlay.allows === true;
  const picked = form === undefined || question === undefined ? [] : fieldOf(form, question).values;
  const grants = question !== undefined && "grants" in question ? (question.grants ?? []) : [];
  const first = allows && !grants.some(({ value }) => picked[0]?.split(":")[0] === value) ? grants[0]?.value : picked[0];
  const [scope = "", time = grantTimes[0], ...words] = first?.split(":") ?? [];
  if (question === undefined) return { title: "The question is gone.", choices: [] };
  const choose = (value: string) => (turn: Turn) => {
    turn.edit(question, { kind: "choose", value });
    if (allows) advance(turn);
  };
  const isAgents = (value: string) => "agentOptions" in question && question.agentOptions?.some((each) => each.value === value) === true;
  const own = allows ? offeredOptions(question).filter(({ value }) => isAgents(value)) : [];
  const agents = own.map(({ value, label }) => ({ label: exactText(label), choose: choose(value) }));
  if (!isGrant(question, scope)) return { title: "What may the agent itself remember?", choices: agents };
  const times = grantTimes.map((each) => ({
    label: `This exact action, for ${longDuration(grantDuration(each) ?? 0)}`,
    ...(!allows && { isOn: each === time && words.length === 0 }),
    choose: choose(`${scope}:${each}`),
  }));
  const command = "action" in question && question.action.kind === "command" ? question.action.command : undefined;
  const isPlain = command !== undefined && wordsOfPlainCommand(command) !== undefined;
  const prefix = { label: "Any command that begins with …", choose: (turn: Turn) => startPrefix(turn, question, `${scope}:${time}`) };
  const others = allows ? grants.filter(({ value }) => value !== scope) : [];
  const note = form && pastWords(ui.past, form.session, question, { scope: scope as GrantDraft["scope"] });
  return {
    title: allows ? (grants.find(({ value }) => value === scope)?.label ?? "") : "What is allowed without asking?",
    note,
    choices: [...times, ...(isPlain ? [prefix] : []), ...others.map(({ value, label }) => ({ label, choose: choose(value) })), ...agents],
  };
}
