/** Settled sessions by day, each with its outcome, and the way to more of them. */
import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { cut } from "@askbox/core/questions";
import { folderName, sessionTitle } from "@askbox/inbox";
import { describeOutcome } from "@askbox/inbox/describe";
import { useNow } from "@askbox/react";
import { memo, useEffect, useEffectEvent, useId, useMemo, useRef } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayEnding, sayGiven, sayMore } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { historyPath, Link } from "../router/router.tsx";
import { endingIcons } from "../session/outcome.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { OnMachine } from "../ui/on-machine.tsx";
import { type History, type HistoryFilter, isFiltered } from "./use-history.ts";

interface HistoryListProps {
  history: History;
  filter: HistoryFilter;
  openId: string | undefined;
  /** The one under the cursor. */
  cursorId: string | undefined;
}

/** The sessions grouped by the day they were asked; the next page loads before it is reached. */
export function HistoryList({ history, filter, openId, cursorId }: HistoryListProps) {
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
        <Day key={day} name={nameOf(day)} sessions={sessions} openId={openId} cursorId={cursorId} />
      ))}
      {history.hasMore && <More onReached={history.loadMore} />}
    </>
  );
}

function Day({
  name,
  sessions,
  openId,
  cursorId,
}: { name: string; sessions: readonly SessionView[] } & Pick<HistoryListProps, "openId" | "cursorId">) {
  const id = useId();
  return (
    <section className="group" aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <ul>
        {sessions.map((session) => (
          <HistoryRow
            key={session.id}
            session={session}
            isOpen={session.id === openId}
            isPeeked={openId === undefined && session.id === cursorId}
          />
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

/** One settled session in the list. */
export const HistoryRow = memo(function HistoryRow({
  session,
  isOpen,
  isPeeked = false,
}: {
  session: SessionView;
  isOpen: boolean;
  isPeeked?: boolean;
}) {
  const t = useTranslate();
  const { time, moment } = useFormats();
  // The list is in the order of these times.
  const askedAt = session.createdAt;
  const settledAt = session.reply?.at ?? session.outcome?.at ?? session.createdAt;
  const { asker } = session;
  return (
    <li>
      <Link
        href={historyPath(session.id)}
        className="row"
        aria-current={isOpen ? "true" : undefined}
        data-session={session.id}
        data-row={session.id}
        data-peeked={isPeeked || undefined}
      >
        <span className="row-icon">
          <OutcomeMark session={session} only="icon" />
        </span>
        <span className="row-head">
          <AgentText className="row-title">{sessionTitle(session)}</AgentText>
          <time
            className="row-time"
            dateTime={new Date(askedAt).toISOString()}
            title={`${t("fact.asked")} ${moment(askedAt)} · ${t("fact.settled")} ${moment(settledAt)}`}
          >
            {time(askedAt)}
          </time>
        </span>
        <span className="row-foot">
          <OutcomeMark session={session} only="text" />
          <AgentText className="row-excerpt">{shortAnswer(t, session)}</AgentText>
          <span className="row-meta">
            <AgentText className="row-client">{clientTitle(asker.client.name)}</AgentText>
            {asker.project !== undefined && <AgentText title={asker.project}>{folderName(asker.project)}</AgentText>}
            <OnMachine machine={asker.machine} />
          </span>
        </span>
      </Link>
    </li>
  );
});

/** The result on one line: the answers, or the reply, or why there is no answer. */
function shortAnswer(t: Translate, { questions, outcome, reply }: SessionView): string {
  if (outcome?.kind === "cancelled") return outcome.reason ?? "";
  const answers = (outcome?.kind === "answered" ? outcome : reply)?.answers ?? [];
  const texts = questions.map((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    if (answer === undefined) return "";
    return "action" in question && questions.length === 1 ? sayMore(t, question, answer) : sayGiven(t, question, answer);
  });
  return cut(texts.filter((text) => text !== "").join(" · "), 300, "");
}

/** How a session ended, as an icon and a short or long text, or `only` one of them. */
export function OutcomeMark({ session, text, only }: { session: SessionView; text?: string; only?: "icon" | "text" }) {
  const t = useTranslate();
  if (session.outcome === undefined) return null;
  const outcome = describeOutcome(session);
  const { ending } = outcome;
  return (
    <span className="outcome-mark" data-ending={ending}>
      {only !== "text" && <Icon name={endingIcons[ending]} />}
      {only !== "icon" && (text ?? sayEnding(t, outcome))}
    </span>
  );
}
