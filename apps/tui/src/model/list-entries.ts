import type { SessionView } from "@askbox/core";
import { filterSessions, type InboxState, sortSessions, splitByPresence } from "@askbox/inbox";
import { besideSimilar, groupSessions, isIn, snoozedUntil } from "@askbox/inbox/list";
import { kindNames } from "@askbox/inbox/text";
import type { ListEntry, UiState } from "./ui-state.ts";
import { groupName } from "./words.ts";

/** Caches the entries until their inputs change, since computing them sorts up to 500 sessions. */
export function createListEntries(): (inbox: InboxState, ui: UiState, now: number) => readonly ListEntry[] {
  let known: { key: readonly unknown[]; entries: readonly ListEntry[] } | undefined;
  return (inbox, ui, now) => {
    if (ui.view === "history") return remember([ui.history.items], () => ui.history.items.map(entryOf));
    // Presence fades with time, so entries are recomputed every 10 s.
    const key = [inbox.pending, ui.filter, ui.grouping, ui.narrowing, ui.order, ui.unfolded, ui.held, Math.floor(now / 10_000)];
    return remember(key, () => inboxEntries(inbox.pending.values(), ui, now));
  };

  function remember(key: readonly unknown[], make: () => readonly ListEntry[]): readonly ListEntry[] {
    if (known !== undefined && known.key.length === key.length && known.key.every((part, index) => part === key[index]))
      return known.entries;
    const entries = make();
    known = { key, entries };
    return entries;
  }
}

const entryOf = (session: SessionView): { id: string; session: SessionView } => ({ id: session.id, session });

function inboxEntries(pending: Iterable<SessionView>, ui: UiState, now: number): ListEntry[] {
  const { filter, narrowing, grouping, order, unfolded, held } = ui;
  const asked = [...pending].filter((session) => !held.includes(session.id) && isIn(session, narrowing));
  const { waiting, left, denied } = splitByPresence(besideSimilar(sortSessions(filterSessions(asked, { text: filter }), order)), now);
  const [snoozed = [], others = []] = [true, false].map((is) =>
    waiting.filter((session) => (snoozedUntil(session, now) !== undefined) === is),
  );
  const groups = grouping === undefined ? [] : groupSessions(others, grouping);
  const entries =
    grouping === undefined
      ? [...others, ...snoozed].map(entryOf)
      : [
          ...groups.flatMap(({ value, sessions }) => underHeading(groupName(grouping, value), sessions)),
          ...underHeading("Snoozed", snoozed),
        ];
  const gone: ListEntry[] =
    left.length === 0 ? [] : [{ id: "fold", count: left.length }, ...(unfolded || waiting.length === 0 ? left.map(entryOf) : [])];
  return [...entries, ...gone, ...underHeading(kindNames.denial, denied)];
}

const underHeading = (name: string, sessions: readonly SessionView[]): ListEntry[] =>
  sessions.map((session, index) => (index === 0 ? { ...entryOf(session), heading: `${name} (${sessions.length})` } : entryOf(session)));
