import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { cut } from "@askbox/core/questions";
import { folderName, sessionTitle } from "@askbox/inbox";
import { memo } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayAnswer } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { historyPath, Link } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { OutcomeMark } from "./outcome-mark.tsx";

/** One settled session in the list. */
export const HistoryRow = memo(function HistoryRow({ session, isOpen }: { session: SessionView; isOpen: boolean }) {
  const t = useTranslate();
  const { time, moment } = useFormats();
  const settledAt = session.reply?.at ?? session.outcome?.at ?? session.createdAt;
  const isSameDay = new Date(settledAt).toDateString() === new Date(session.createdAt).toDateString();
  const { asker } = session;
  return (
    <li>
      <Link href={historyPath(session.id)} className="row" aria-current={isOpen ? "true" : undefined} data-session={session.id}>
        <span className="row-icon">
          <OutcomeMark session={session} only="icon" />
        </span>
        <span className="row-head">
          <AgentText className="row-title">{sessionTitle(session)}</AgentText>
          <time
            className="row-time"
            dateTime={new Date(settledAt).toISOString()}
            title={`${t("fact.asked")} ${moment(session.createdAt)} · ${t("fact.settled")} ${moment(settledAt)}`}
          >
            {(isSameDay ? time : moment)(settledAt)}
          </time>
        </span>
        <span className="row-foot">
          <OutcomeMark session={session} only="text" />
          {session.reply !== undefined && <span className="mark">{t("history.replied")}</span>}
          <AgentText className="row-excerpt">{shortAnswer(t, session)}</AgentText>
          <span className="row-meta">
            <AgentText className="row-client">{clientTitle(asker.client.name)}</AgentText>
            {asker.project !== undefined && <AgentText title={asker.project}>{folderName(asker.project)}</AgentText>}
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
    return answer === undefined ? "" : sayAnswer(t, question, answer);
  });
  return cut(texts.filter((text) => text !== "").join(" · "), 300, "");
}
