import type { Draft, SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { agentHasLeft, folderName, isPlainAsk, sessionTitle, useTimed } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { memo } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Link, sessionPath } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { RowTime } from "./deadline.tsx";
import { sayKind } from "./kind.ts";
import { RowAnswer } from "./row-answer.tsx";
import { RowUndo } from "./row-undo.tsx";

interface SessionRowProps {
  session: SessionView;
  isOpen: boolean;
  hasDraft: boolean;
  scheduled: Draft["scheduled"];
  /** Shown if no heading above names it. */
  showsFolder: boolean;
  /** Undefined unless questions can be selected. */
  isSelected: boolean | undefined;
  onSelect(id: string): void;
}

/** One pending session in the list. */
export const SessionRow = memo(function SessionRow(props: SessionRowProps) {
  const { session, isOpen, hasDraft, scheduled, showsFolder, isSelected, onSelect } = props;
  const t = useTranslate();
  const { asker } = session;
  const title = sessionTitle(session);
  const takesAnswer = session.questions.length === 1 && !isOpen && scheduled === undefined;
  return (
    <li data-selected={isSelected || undefined}>
      {isSelected !== undefined && (
        <label className="row-select">
          <input type="checkbox" checked={isSelected} onChange={() => onSelect(session.id)} />
          <span className="visually-hidden">{t("inbox.select.label", { title: terminalLine(title) })}</span>
        </label>
      )}
      <Link href={sessionPath(session.id)} className="row" aria-current={isOpen ? "true" : undefined} data-session={session.id}>
        <span className="row-head">
          <AgentText className="row-title">{title}</AgentText>
          <span className="row-time">
            <RowTime until={session.deadlineAt} />
          </span>
        </span>
        <span className="row-meta">
          <AgentText>{clientTitle(asker.client.name)}</AgentText>
          {showsFolder && asker.project !== undefined && <AgentText title={asker.project}>{folderName(asker.project)}</AgentText>}
          {asker.agentId !== undefined && <AgentText className="agent-id">{asker.agentId}</AgentText>}
          {asker.branch !== undefined && <AgentText className="branch">{asker.branch}</AgentText>}
        </span>
        <span className="row-foot">
          {isPlainAsk(session) && <span className="row-kicker">{t("session.needsInput")}</span>}
          <span className="row-kind">{sayKind(t, session)}</span>
          <AskerState session={session} />
          {hasDraft && scheduled === undefined && <span className="mark">{t("inbox.draft")}</span>}
          {scheduled !== undefined && <span className="mark">{t("inbox.sending")}</span>}
        </span>
      </Link>
      {takesAnswer && <RowAnswer session={session} />}
      {scheduled !== undefined && !isOpen && <RowUndo session={session} sendAt={scheduled.sendAt} />}
    </li>
  );
});

/** Whether the agent is still waiting. */
export function AskerState({ session }: { session: SessionView }) {
  const t = useTranslate();
  const left = useTimed((now) => agentHasLeft(session, now));
  const { asker } = session.presence;
  return (
    <span className="asker-state" data-state={left ? "left" : asker}>
      {left ? t("presence.left") : t(`presence.${asker}`)}
    </span>
  );
}
