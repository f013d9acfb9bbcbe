import type { SessionView } from "@askbox/core";
import { searchWords } from "@askbox/core/questions";
import { groupings } from "@askbox/inbox/list";
import { useInbox } from "@askbox/react";
import { useCallback, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Link } from "../router/router.tsx";
import { isGone, useSent } from "../session/sent.ts";
import { useSettings } from "../stored-settings.ts";
import { FoundContext } from "../ui/agent-text.tsx";
import { isTouch } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import { setFilter, useFilter } from "./filter.ts";
import { Fold } from "./fold.tsx";
import { ListTools } from "./list-tools.tsx";
import { Rows } from "./rows.tsx";
import { SessionRow } from "./session-row.tsx";
import { useDeclines } from "./use-declines.ts";
import { useListActions } from "./use-list-actions.ts";
import { useListKeys } from "./use-list-keys.ts";
import { useListing } from "./use-listing.ts";

/** Not part of the first paint. */
const NotifyQuestion = later(async () => (await import("./notify-question.tsx")).NotifyQuestion);
const Groups = later(async () => (await import("./groups.tsx")).Groups);
/** Loaded when something is first selected, declined or snoozed. */
const Swipes = later(async () => (await import("./swipes.ts")).Swipes);
const ListBar = later(async () => (await import("./list-bar.tsx")).ListBar);

/** All pending sessions; snoozed ones, and those whose agent has left, are folded away at the end. */
export function SessionList({ openId, onPeek }: { openId: string | undefined; onPeek(id: string | undefined): void }) {
  const t = useTranslate();
  const { pending, drafts, ready } = useInbox();
  const { groupBy, density } = useSettings();
  const filter = useFilter();
  const [unfolded, setUnfolded] = useState<{ snoozed?: boolean; left?: boolean }>({});
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const declines = useDeclines();
  const deferredFilter = useDeferredValue(filter);
  const { waiting, snoozed, left, total } = useListing(deferredFilter, useHidden(declines.hidden));
  const isSought = (filter.text ?? "").trim() !== "";
  const isFiltered = isSought || groupings.some((by) => filter[by] !== undefined);
  const found = useMemo(() => searchWords(deferredFilter.text ?? ""), [deferredFilter.text]);
  const actions = useListActions({ declines, visible: [...waiting, ...snoozed, ...left] });
  const { selected, isSelecting, select } = actions;
  const hasBar = isSelecting || actions.dialog !== undefined;
  // The focused row, or the one that the pointer is on; without either, the first.
  const [cursor, setCursor] = useState<string>();
  const pointer = useRef({ x: 0, y: 0 });
  const isListed = (id: string) => [waiting, snoozed, left].some((part) => part.some((session) => session.id === id));
  const peeked =
    openId !== undefined
      ? undefined
      : (actions.dialog?.sessions[0]?.id ?? (cursor !== undefined && isListed(cursor) ? cursor : waiting[0]?.id));
  const tellPeek = useEffectEvent(onPeek);
  useEffect(() => tellPeek(peeked), [peeked]);
  const onSelect = useCallback((id: string) => select(id), [select]);

  const { toFirst, openFirst, ...listKeys } = useListKeys({
    list,
    search,
    openId,
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
  const onSearchKey = (key: "Enter" | "ArrowDown" | "Escape") => {
    if (key === "Enter") openFirst();
    else if (key === "ArrowDown") toFirst();
    else search.current?.blur();
  };

  // After leaving a question, the focus returns to its row.
  const lastOpen = useRef<string>(undefined);
  useEffect(() => {
    if (openId !== undefined) lastOpen.current = openId;
    else if (lastOpen.current !== undefined && document.activeElement === document.body) {
      document.querySelector<HTMLElement>(`[data-session="${CSS.escape(lastOpen.current)}"]`)?.focus();
    }
  }, [openId]);

  const row = (session: SessionView, showsFolder = true) => {
    const draft = drafts.get(session.id);
    const hasDraft =
      draft !== undefined &&
      (Object.keys(draft.fields).length > 0 || [draft.comment, draft.reason, draft.files].some((part) => part !== undefined));
    return (
      <SessionRow
        key={session.id}
        session={session}
        isOpen={session.id === openId}
        isPeeked={session.id === peeked}
        hasDraft={hasDraft}
        scheduled={draft?.scheduled}
        showsFolder={showsFolder}
        isSelected={isSelecting ? selected.has(session.id) : undefined}
        onSelect={onSelect}
      />
    );
  };
  // Starts unfolded if there are no other sessions, and stays so when new ones arrive.
  const isLeftAlone = left.length > 0 && waiting.length === 0;
  useEffect(() => {
    if (isLeftAlone) setUnfolded((before) => ({ left: true, ...before }));
  }, [isLeftAlone]);
  const fold = (name: "snoozed" | "left", sessions: readonly SessionView[]) => {
    const isOpen = unfolded[name] ?? isSought;
    return (
      sessions.length > 0 && (
        <Fold
          title={t(`inbox.${name}`, { count: sessions.length })}
          isOpen={isOpen}
          onToggle={() => setUnfolded({ ...unfolded, [name]: !isOpen })}
        >
          <Rows sessions={sessions} openId={openId} row={row} />
        </Fold>
      )
    );
  };

  return (
    <section
      ref={list}
      className="list"
      data-density={density}
      aria-label={t("inbox.list")}
      onKeyDown={listKeys.onKeyDown}
      onFocus={({ target }) => {
        listKeys.onFocus();
        setCursor(sessionAt(target));
      }}
      onPointerMove={({ target, pointerType, clientX, clientY }) => {
        // Rows that scroll under a resting pointer don't move the cursor.
        const isMoved = pointerType === "mouse" && (pointer.current.x !== clientX || pointer.current.y !== clientY);
        pointer.current = { x: clientX, y: clientY };
        if (isMoved) setCursor(sessionAt(target) ?? cursor);
      }}
    >
      {pending.size > 0 && (
        <ListTools filter={filter} onFilter={setFilter} search={search} onSearchKey={onSearchKey} onSelect={actions.startSelecting} />
      )}
      <p className="list-found quiet" role="status">
        {isFiltered && t("inbox.found", { count: waiting.length + snoozed.length + left.length, total })}
      </p>
      {!ready && <p className="quiet list-note">{t("inbox.loading")}</p>}
      {ready && pending.size === 0 && <Nothing />}
      {total > 0 && waiting.length + snoozed.length + left.length === 0 && <p className="quiet list-note">{t("inbox.nothing")}</p>}
      <FoundContext value={found}>
        {groupBy === "none" ? (
          <ul>
            <Rows sessions={waiting} openId={openId} row={row} />
          </ul>
        ) : (
          <Groups by={groupBy} sessions={waiting} openId={openId} row={row} />
        )}
        {fold("snoozed", snoozed)}
        {fold("left", left)}
      </FoundContext>
      <NotifyQuestion />
      {isTouch() && <Swipes list={list} snooze={actions.snooze} />}
      {hasBar && <ListBar actions={actions} />}
    </section>
  );
}

/** What leaves the list at once: questions that are being declined, and those answered here. */
function useHidden(declined: ReadonlySet<string>): ReadonlySet<string> {
  const sent = useSent();
  const { drafts } = useInbox();
  return useMemo(() => new Set([...declined, ...sent.filter((id) => isGone(drafts.get(id)))]), [declined, sent, drafts]);
}

/** The session of the row that an event happened in. */
function sessionAt(target: EventTarget): string | undefined {
  return (target as Element).closest("li")?.querySelector<HTMLElement>("[data-session]")?.dataset["session"];
}

function Nothing() {
  const t = useTranslate();
  return (
    <div className="nothing">
      <p className="nothing-title">{t("inbox.empty.title")}</p>
      <p className="quiet">{t("inbox.empty.text")}</p>
      <p>
        <Link href="/history" className="button small">
          {t("nav.history")}
        </Link>
      </p>
    </div>
  );
}
