/** The agents of this inbox: who works, waits or has ended, their last questions, how to resume one, and a message to it. */
import "./agents.css";
import { toAskboxError } from "@askbox/core";
import { type Conversation, clientTitle } from "@askbox/core/clients";
import { folderName } from "@askbox/inbox";
import { useAskbox, useInbox, useNow } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo, sayDuration } from "../i18n/phrases.ts";
import { historyPath, Link, sessionPath } from "../router/router.tsx";
import { MessageField, useMessage } from "../thread/message-field.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { useKeys } from "../ui/keyboard.ts";

/** Who waits, works or has gone, with a field to write to each. */
export function AgentsPage() {
  const t = useTranslate();
  const { conversations, error, read } = useConversations();
  const [writingTo, setWritingTo] = useState<string>();
  const list = useRef<HTMLUListElement>(null);

  useKeys(({ is }) => {
    const rows = [...(list.current?.children ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const focused = rows[at];
    if (is("down") || is("up"))
      (rows[Math.max(0, Math.min(rows.length - 1, at + (is("down") ? 1 : -1)))] as HTMLElement | undefined)?.focus();
    else if (is("askBack") && focused !== undefined) focused.querySelector<HTMLElement>("[data-write]")?.click();
    else if (is("open") && focused !== undefined && focused === document.activeElement) focused.querySelector("a")?.click();
    else return false;
    return true;
  });

  return (
    <main className="page agents" id="detail" tabIndex={-1} data-testid="agents">
      <div className="page-body">
        <h1>{t("agents.title")}</h1>
        {error !== undefined && (
          <p className="error" role="alert">
            {t("history.failed", { message: error })}
          </p>
        )}
        {conversations?.length === 0 && (
          <div className="nothing">
            <p className="nothing-title">{t("agents.none.title")}</p>
            <p className="quiet">{t("agents.none.text")}</p>
          </div>
        )}
        <ul className="agent-list" ref={list}>
          {conversations?.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              isWriting={agent.id === writingTo}
              onWrite={() => setWritingTo(agent.id)}
              onClose={(isSent) => {
                setWritingTo(undefined);
                if (isSent) read();
              }}
            />
          ))}
        </ul>
      </div>
    </main>
  );
}

function useConversations() {
  const { desk } = useAskbox();
  const { connection, pending } = useInbox();
  const [conversations, setConversations] = useState<readonly Conversation[]>();
  const [error, setError] = useState<string>();
  const tick = useNow(readEvery);

  const read = async (isWanted: () => boolean = () => true) => {
    try {
      const all = await desk.conversations();
      if (!isWanted()) return;
      setConversations(all);
      setError(undefined);
    } catch (thrown) {
      if (isWanted()) setError(toAskboxError(thrown).message);
    }
  };
  useEffect(() => {
    let isWanted = connection === "open";
    if (isWanted) void read(() => isWanted);
    return () => {
      isWanted = false;
    };
  }, [connection, pending.size, tick]);
  return { conversations, error, read: () => void read() };
}

/** The hub derives the list from up to 1,000 questions, so it is read again only now and then, and when the inbox changes. */
const readEvery = 10_000;

interface AgentRowProps {
  agent: Conversation;
  isWriting: boolean;
  onWrite(): void;
  /** The field was closed; `isSent`: with a message. */
  onClose(isSent: boolean): void;
}

/** Who an agent is, what it does, its last questions, and how to resume it. */
function AgentRow({ agent, isWriting, onWrite, onClose }: AgentRowProps) {
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

/** A field for writing to an agent that has not asked. `onClose` is told whether the message was sent. */
function MessageForm({ agentId, onClose }: { agentId: string; onClose(isSent: boolean): void }) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const message = useMessage(
    agentId,
    async ({ text }, options) => {
      const session = await desk.message(agentId, text, options);
      if (session.status === "pending") inbox.accept(session);
      onClose(true);
    },
    () => onClose(false),
  );
  return (
    <div className="agent-message">
      <MessageField message={message} label={t("agents.message.label")} hint={t("agents.message.hint")}>
        {t("agents.message.send")}
      </MessageField>
    </div>
  );
}
