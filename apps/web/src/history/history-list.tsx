import type { SessionView } from "@askbox/core";
import { useNow } from "@askbox/react";
import { useEffect, useEffectEvent, useId, useMemo, useRef } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { type HistoryFilter, isFiltered } from "./history-query.ts";
import { HistoryRow } from "./history-row.tsx";
import type { History } from "./use-history.ts";

interface HistoryListProps {
  history: History;
  filter: HistoryFilter;
  openId: string | undefined;
}

/** The sessions grouped by the day they were asked; the next page loads before it is reached. */
export function HistoryList({ history, filter, openId }: HistoryListProps) {
  const t = useTranslate();
  const formats = useFormats();
  const today = startOfDay(useNow(60_000));
  const days = useMemo(() => byDay(history.items), [history.items]);
  const nameOf = (day: number) => {
    if (day === today) return t("history.today");
    return day === startOfDay(today - 1) ? t("history.yesterday") : formats.day(day);
  };

  if (history.error !== undefined) {
    return (
      <div className="list-note">
        <p className="error">{t("history.failed", { message: history.error })}</p>
        <button type="button" className="button small" onClick={history.retry}>
          {t("action.retry")}
        </button>
      </div>
    );
  }
  if (!history.isReady) return <p className="quiet list-note">{t("history.loading")}</p>;
  if (days.length === 0 && !history.hasMore) return <NothingFound isFiltered={isFiltered(filter)} />;
  return (
    <>
      {days.map(({ day, sessions }) => (
        <Day key={day} name={nameOf(day)} sessions={sessions} openId={openId} />
      ))}
      {history.hasMore && <More onReached={history.loadMore} />}
    </>
  );
}

function Day({ name, sessions, openId }: { name: string; sessions: readonly SessionView[]; openId: string | undefined }) {
  const id = useId();
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul>
        {sessions.map((session) => (
          <HistoryRow key={session.id} session={session} isOpen={session.id === openId} />
        ))}
      </ul>
    </section>
  );
}

function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  const t = useTranslate();
  if (isFiltered) return <p className="quiet list-note">{t("history.nothing")}</p>;
  return (
    <div className="nothing">
      <p className="nothing-title">{t("history.empty.title")}</p>
      <p className="quiet">{t("history.empty.text")}</p>
    </div>
  );
}

/** Triggers shortly before the end of the list is visible; also a button for those who don't scroll. */
function More({ onReached }: { onReached(): void }) {
  const t = useTranslate();
  const button = useRef<HTMLButtonElement>(null);
  const reached = useEffectEvent(onReached);

  useEffect(() => {
    const element = button.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) reached();
      },
      { root: element.closest(".list"), rootMargin: "600px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <p className="list-note">
      <button ref={button} type="button" className="button small" onClick={onReached}>
        {t("history.more")}
      </button>
    </p>
  );
}

function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function byDay(sessions: readonly SessionView[]): { day: number; sessions: SessionView[] }[] {
  const days = new Map<number, SessionView[]>();
  for (const session of sessions) {
    const day = startOfDay(session.createdAt);
    const known = days.get(day);
    if (known === undefined) days.set(day, [session]);
    else known.push(session);
  }
  return [...days].map(([day, ofDay]) => ({ day, sessions: ofDay }));
}
