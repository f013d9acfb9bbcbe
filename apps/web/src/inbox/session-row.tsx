import type { SessionView } from "@askbox/core";
import { agentHasLeft, folderName, isPlainAsk, sessionTitle, useNow } from "@askbox/react";
import { memo } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import { Link, sessionPath } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { DeadlineBar, TimeLeft } from "./deadline.tsx";
import { InlineReply } from "./inline-reply.tsx";

interface SessionRowProps {
  session: SessionView;
  isOpen: boolean;
  hasDraft: boolean;
  isScheduled: boolean;
  /** Where no heading above says it. */
  showsFolder: boolean;
}

/** One pending session in the list. */
export const SessionRow = memo(function SessionRow({ session, isOpen, hasDraft, isScheduled, showsFolder }: SessionRowProps) {
  const t = useTranslate();
  const { asker, createdAt, deadlineAt } = session;
  return (
    <li>
      <Link href={sessionPath(session.id)} className="row" aria-current={isOpen ? "true" : undefined} data-session={session.id}>
        {isPlainAsk(session) && <span className="row-kicker">{t("session.needsInput")}</span>}
        <AgentText className="row-title">{sessionTitle(session)}</AgentText>
        <span className="row-meta">
          <AgentText>{asker.client.name}</AgentText>
          {asker.agentId !== undefined && <AgentText>{asker.agentId}</AgentText>}
          {showsFolder && asker.project !== undefined && <AgentText title={asker.project}>{folderName(asker.project)}</AgentText>}
          {asker.branch !== undefined && <AgentText className="branch">{asker.branch}</AgentText>}
        </span>
        <span className="row-foot">
          <AskerState session={session} />
          {hasDraft && !isScheduled && <span className="mark">{t("inbox.draft")}</span>}
          {isScheduled && <span className="mark">{t("inbox.sending")}</span>}
          <span className="row-time">
            <Age at={createdAt} />
            <DeadlineBar from={createdAt} until={deadlineAt} />
            <TimeLeft from={createdAt} until={deadlineAt} />
          </span>
        </span>
      </Link>
      {asker.inlineReply === true && !isOpen && !isScheduled && <InlineReply session={session} />}
    </li>
  );
});

function Age({ at }: { at: number }) {
  const t = useTranslate();
  const age = useNow() - at;
  return <>{age < 5_000 ? t("time.now") : sayDuration(t, age)}</>;
}

/** Whether the agent still waits. */
export function AskerState({ session }: { session: SessionView }) {
  const t = useTranslate();
  const now = useNow();
  const { asker } = session.presence;
  const left = agentHasLeft(session, now);
  return (
    <span className="asker-state" data-state={left ? "left" : asker}>
      {left ? t("presence.left") : t(`presence.${asker}`)}
    </span>
  );
}
