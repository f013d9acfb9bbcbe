import type { SessionView } from "@askbox/core";
import { sessionTitle } from "@askbox/inbox";
import { useSession } from "@askbox/react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { Link, sessionPath } from "../router/router.tsx";
import { Background } from "../session/background.tsx";
import { Answers, outcomeTitle } from "../session/outcome.tsx";
import { Thread } from "../thread/thread.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { ExportButtons } from "./export.tsx";
import { SessionFacts } from "./facts.tsx";
import { OutcomeMark } from "./history-list.tsx";

/** A read-only view of a settled session. */
export function SessionReader({ id }: { id: string }) {
  const t = useTranslate();
  const { session, state } = useSession(id);
  if (session !== undefined) return <Reader session={session} />;
  return (
    <div className="session-note">
      <p className="quiet">{t(state === "missing" ? "session.missing" : "session.loading")}</p>
      {state === "missing" && (
        <Link href="/history" className="button">
          {t("history.back")}
        </Link>
      )}
    </div>
  );
}

function Reader({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { moment } = useFormats();
  const { outcome, reply } = session;
  return (
    <article className="session reader" aria-labelledby="session-title" data-testid="reader">
      <header className="session-head">
        <Link href="/history" className="back-link">
          <Icon name="back" />
          {t("history.back")}
        </Link>
        <h1 id="session-title" tabIndex={-1}>
          <AgentText>{sessionTitle(session)}</AgentText>
        </h1>
        <p className="reader-outcome">
          {outcome === undefined ? (
            <span className="quiet">{t("history.pending")}</span>
          ) : (
            <OutcomeMark session={session} text={outcomeTitle(t, session, false)} />
          )}
        </p>
      </header>
      {outcome === undefined && (
        <Link href={sessionPath(session.id)} className="button">
          {t("history.answer")}
        </Link>
      )}
      {outcome?.kind === "cancelled" && outcome.reason !== undefined && (
        <p className="reader-reason">
          <AgentText>{t("outcome.reason", { reason: outcome.reason })}</AgentText>
        </p>
      )}
      <Answers
        session={session}
        answers={outcome?.kind === "answered" ? outcome.answers : []}
        comment={outcome?.kind === "answered" ? outcome.comment : undefined}
        files={outcome?.kind === "answered" ? outcome.files : undefined}
        nothing={t(outcome?.kind === "answered" ? "question.skipped" : "history.unanswered")}
      />
      {reply !== undefined && (
        <section className="reader-reply" aria-labelledby="reply-title">
          <h2 id="reply-title">{t("history.reply")}</h2>
          <p className="quiet">{t("history.reply.when", { time: moment(reply.at) })}</p>
          <Answers session={session} answers={reply.answers} comment={reply.comment} files={reply.files} />
        </section>
      )}
      {outcome?.kind === "timedOut" && reply === undefined && (
        <Link href={sessionPath(session.id)} className="button small">
          {t("history.reply.now")}
        </Link>
      )}
      <Background session={session} />
      {outcome !== undefined && <Thread session={session} />}
      <SessionFacts session={session} />
      <ExportButtons session={session} />
    </article>
  );
}
