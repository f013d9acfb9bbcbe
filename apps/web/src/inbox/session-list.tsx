import type { SessionView } from "@askbox/core";
import { searchWords } from "@askbox/core/questions";
import { type Grouping, groupings, groupSessions } from "@askbox/inbox/list";
import { useAskbox, useInbox } from "@askbox/react";
import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { useSettings } from "../stored-settings.ts";
import { FoundContext } from "../ui/agent-text.tsx";
import { isTouch } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import { awaitRow, resetCursor, setCursor, useListCursor } from "../ui/list-cursor.ts";
import { useMedia } from "../ui/use-media.ts";
import { type ListFilter, setFilter, useFilter } from "./filter.ts";
import { ListTools } from "./list-tools.tsx";
import { Rows } from "./rows.tsx";
import { SessionRow } from "./session-row.tsx";
import { useDeclines, useHidden } from "./use-declines.ts";
import { useHeld } from "./use-held.ts";
import { useListActions } from "./use-list-actions.ts";
import { useListKeys } from "./use-list-keys.ts";
import { useListing } from "./use-listing.ts";

/** Not part of the first paint. */
const NotifyQuestion = later(async () => (await import("./notify-question.tsx")).NotifyQuestion);
const Nothing = later(async () => (await import("./beginnings.tsx")).Nothing);
const Fold = later(async () => (await import("./fold.tsx")).Fold);
const Groups = later(async () => (await import("./groups.tsx")).Groups);
const Collapse = later(async () => (await import("./collapse.ts")).Collapse);
const ListKeys = later(async () => (await import("./list-keys.tsx")).ListKeys);
/** Loaded when something is first selected, declined or snoozed. */
const Swipes = later(async () => (await import("./swipes.ts")).Swipes);
const ListBar = later(async () => (await import("./list-bar.tsx")).ListBar);

/** What is folded away at the end of the list, in this order. */
const folded = ["snoozed", "left", "denied"] as const;
type Folded = (typeof folded)[number];

/** All pending sessions; snoozed ones, those whose agent has left, and what a model has denied, are folded away at the end. */
export function SessionList({ openId }: { openId: string | undefined }) {
  const t = useTranslate();
  const page = useAskbox();
  const { pending, drafts, ready } = useInbox();
  const { groupBy, density } = useSettings();
  const isRoomy = useMedia("(width >= 80rem) and (pointer: fine)");
  const filter = useFilter();
  const [unfolded, setUnfolded] = useState<Partial<Record<Folded, boolean>>>({});
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const declines = useDeclines();
  const deferredFilter = useDeferredValue(filter);
  const hidden = useHidden();
  const { held, press } = useHeld(useListing(deferredFilter, hidden));
  const { waiting, left, denied, total } = held;
  const visible = [...waiting, ...folded.flatMap((name) => held[name])];
  const isAlone = useMedia("(width < 56rem)");
  const isSought = (filter.text ?? "").trim() !== "";
  const isFiltered = isSought || groupings.some((by) => filter[by] !== undefined);
  const found = useMemo(() => searchWords(deferredFilter.text ?? ""), [deferredFilter.text]);
  const isUnfolded = (name: Folded) => unfolded[name] ?? isSought;
  const actions = useListActions({ declines, visible });
  const { selected, isSelecting, select } = actions;
  const hasBar = isSelecting || actions.dialog !== undefined;
  const onSelect = useCallback((id: string) => select(id), [select]);

  const rows = useRows([
    ...(groupBy === "none" ? waiting : groupSessions(waiting, groupBy).flatMap(({ sessions }) => sessions)),
    ...folded.flatMap((name) => (isUnfolded(name) ? held[name] : [])),
  ]);
  const cursor = useListCursor("inbox", { rows, isReady: ready, openId });
  // What was answered or declined here and is undone comes back under the cursor.
  const wereHidden = useRef(hidden);
  useLayoutEffect(() => {
    const back = [...wereHidden.current].find((id) => !hidden.has(id) && pending.has(id));
    wereHidden.current = hidden;
    if (back !== undefined) awaitRow(page, "inbox", back);
  }, [page, hidden, pending]);
  const listKeys = useListKeys({
    search,
    rows,
    cursor,
    openId,
    extend: actions.extend,
    act: {
      ...actions.act,
      back() {
        if (actions.act.back()) return true;
        if (!isSought) return false;
        setFilter({ ...filter, text: "" });
        return true;
      },
    },
  });
  const onFilter = (change: ListFilter) => {
    // The cursor is on the first of what is found.
    if (change.text !== filter.text && change.text) resetCursor(page, "inbox");
    setFilter(change);
  };

  const row = (session: SessionView, group?: Grouping) => {
    const draft = drafts.get(session.id);
    const hasDraft =
      draft !== undefined &&
      (Object.keys(draft.fields).length > 0 || [draft.comment, draft.reason, draft.files].some((part) => part !== undefined));
    return (
      <SessionRow
        key={session.id}
        session={session}
        isOpen={session.id === openId}
        isPeeked={openId === undefined && session.id === cursor.id}
        hasDraft={hasDraft}
        scheduled={draft?.scheduled}
        group={group}
        isAlone={isAlone}
        isSelected={isSelecting ? selected.has(session.id) : undefined}
        onSelect={onSelect}
      />
    );
  };
  // Starts unfolded if there are no other sessions, and stays so when new ones arrive.
  const isLeftAlone = left.length + denied.length > 0 && waiting.length === 0;
  useEffect(() => {
    if (isLeftAlone) setUnfolded((before) => ({ left: true, denied: true, ...before }));
  }, [isLeftAlone]);
  const fold = (name: Folded) => {
    const isOpen = isUnfolded(name);
    const { [name]: sessions } = held;
    return (
      sessions.length > 0 && (
        <Fold key={name} name={name} count={sessions.length} isOpen={isOpen} onToggle={() => setUnfolded({ ...unfolded, [name]: !isOpen })}>
          <Rows sessions={sessions} near={cursor.id} row={row} />
        </Fold>
      )
    );
  };

  return (
    <section
      ref={list}
      className="list"
      data-density={density === "auto" && isRoomy ? "compact" : density}
      aria-label={t("inbox.list")}
      onKeyDown={listKeys.onKeyDown}
      onPointerDown={press}
      onFocus={({ target }) => {
        const id = sessionAt(target);
        if (id !== undefined) setCursor(page, "inbox", id);
      }}
    >
      {pending.size > 0 && (
        <ListTools
          filter={filter}
          onFilter={onFilter}
          search={search}
          onSearchKey={listKeys.onSearchKey}
          onSelect={actions.startSelecting}
        />
      )}
      <p className="list-found quiet" role="status">
        {isFiltered && t("inbox.found", { count: visible.length, total })}
      </p>
      {!ready && <p className="quiet list-note">{t("inbox.loading")}</p>}
      {ready && pending.size === 0 && <Nothing />}
      {total > 0 && visible.length === 0 && <p className="quiet list-note">{t("inbox.nothing")}</p>}
      <FoundContext value={found}>
        {groupBy === "none" ? (
          <ul>
            <Rows sessions={waiting} near={cursor.id} row={row} />
          </ul>
        ) : (
          <Groups by={groupBy} sessions={waiting} near={cursor.id} row={row} />
        )}
        {folded.map(fold)}
      </FoundContext>
      {pending.size > 0 && <NotifyQuestion />}
      {isTouch() && <Swipes list={list} />}
      <Collapse list={list} rows={rows} />
      <div className="list-foot">
        {hasBar && <ListBar actions={actions} />}
        <div className="list-keys" aria-hidden="true">
          <ListKeys isOpen={openId !== undefined} isSelecting={isSelecting} />
        </div>
      </div>
    </section>
  );
}

/** The ids of the sessions, the same array while they are the same. */
function useRows(sessions: readonly SessionView[]): readonly string[] {
  const ids = sessions.map(({ id }) => id).join(" ");
  return useMemo(() => (ids === "" ? [] : ids.split(" ")), [ids]);
}

/** The session of the row that an event happened in. */
function sessionAt(target: EventTarget): string | undefined {
  return (target as Element).closest("li")?.querySelector<HTMLElement>("[data-session]")?.dataset["session"];
}
