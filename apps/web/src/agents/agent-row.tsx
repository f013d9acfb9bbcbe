import type { Conversation } from "@askbox/core/clients";
import { clientTitle } from "@askbox/core/clients";
import { folderName } from "@askbox/inbox";
import { useNow } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useRef } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo, sayDuration } from "../i18n/phrases.ts";
import { historyPath, Link, sessionPath } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { MessageForm } from "./message-form.tsx";

interface AgentRowProps {
  agent: Conversation;
  isWriting: boolean;
  onWrite(): void;
  /** The field was closed; `isSent`: with a message. */
  onClose(isSent: boolean): void;
}

/** Who an agent is, what it does, its last questions, and how to resume it. */
export function AgentRow({ agent, isWriting, onWrite, onClose }: AgentRowProps) {
  const t = useTranslate();
  const now = useNow(10_000);
  const { id, asker, name, state, since, sessions, resume, undelivered, takesMessages } = agent;
  const write = useRef<HTMLButtonElement>(null);
  const place = [asker.project === undefined ? undefined : folderName(asker.project), asker.branch].filter((part) => part !== undefined);
  const title = name ?? [clientTitle(asker.client.name), asker.agentId].filter((part) => part !== undefined).join(" · ");
  const time =
    state === "waiting" ? t("agents.for", { time: sayDuration(t, now - since) }) : t("agents.heard", { ago: sayAgo(t, since, now) });
  const close = (isSent: boolean) => {
    onClose(isSent);
    // The focus would fall to the page with the field.
    queueMicrotask(() => write.current?.focus());
  };
  return (
    <li className="agent" data-state={state} data-testid="agent" tabIndex={-1}>
      <p className="agent-head">
        <span className="agent-state">{t(`agents.state.${state}`)}</span>
        <strong>
          <AgentText>{title}</AgentText>
        </strong>
        {place.length > 0 && <AgentText title={asker.project}>{place.join(" · ")}</AgentText>}
        <span className="quiet">{time}</span>
        {undelivered > 0 && <span className="quiet">{t("agents.undelivered", { count: undelivered })}</span>}
      </p>
      <ul className="agent-questions">
        {sessions.map((session) => (
          <li key={session.id}>
            <Link href={(session.status === "pending" ? sessionPath : historyPath)(session.id)}>
              <AgentText>{session.title ?? session.question}</AgentText>
            </Link>
            <span className="quiet">{t(`agents.status.${session.status}`)}</span>
          </li>
        ))}
      </ul>
      {state === "gone" && resume !== undefined && (
        <p className="agent-resume">
          <span className="quiet">{t(`agents.resume.${resume.how}`)}</span>
          <code dir="ltr">
            <AgentText>{resume.command}</AgentText>
          </code>
          <CopyButton text={resume.command} />
        </p>
      )}
      {isWriting ? (
        <MessageForm agentId={id} onClose={close} />
      ) : (
        takesMessages && (
          <button ref={write} type="button" className="button small" onClick={onWrite} data-write>
            {t("agents.write")}
            <span className="visually-hidden">: {terminalLine([title, ...place].join(" · "))}</span>
          </button>
        )
      )}
    </li>
  );
}
