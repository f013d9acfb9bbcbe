/** The agents of this inbox: who works, waits or has ended, their last questions, how to resume one, and a message to it. */
import "./agents.css";
import { toAskboxError } from "@askbox/core";
import { type Conversation, clientTitle } from "@askbox/core/clients";
import { folderName, questionLine } from "@askbox/inbox";
import { useAskbox, useInbox, useNow } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useEffect, useState } from "react";
import { sayDuration } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo } from "../i18n/phrases.ts";
import { FirstAgent } from "../inbox/beginnings.tsx";
import { historyPath, Link, sessionPath } from "../router/router.tsx";
import { MessageField, useMessage } from "../thread/message-field.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { isControl, useKeys } from "../ui/keyboard.ts";
import { setCursor, useRowCursor } from "../ui/list-cursor.ts";

/** A list with a cursor, two lines for each agent; a field to write to one opens below it. */
export function AgentsPage() {
  const t = useTranslate();
  const page = useAskbox();
  const { conversations, error, read } = useConversations();
  const [writingTo, setWritingTo] = useState<string>();
  const cursor = useRowCursor(
    "agents",
    (conversations ?? []).map(({ id }) => id),
  );

  useKeys(({ is }) => {
    const agent = conversations?.find(({ id }) => id === cursor.id);
    if (is("askBack") && agent?.takesMessages) setWritingTo(agent.id);
    else if (is("open") && agent !== undefined && !isControl(document.activeElement)) {
      document.querySelector<HTMLElement>(`[data-row="${CSS.escape(agent.id)}"] a`)?.click();
    } else return false;
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
        {conversations?.length === 0 && <FirstAgent />}
        <ul className="agent-list">
          {conversations?.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              isPeeked={agent.id === cursor.id}
              onFocus={() => setCursor(page, "agents", agent.id)}
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
  /** Whether the cursor is here. */
  isPeeked: boolean;
  onFocus(): void;
  isWriting: boolean;
  onWrite(): void;
  /** The field was closed; `isSent`: with a message. */
  onClose(isSent: boolean): void;
}

/** Who an agent is and since when it does what; then what it waits for, or asked last, and how to go on with it. */
function AgentRow({ agent, isPeeked, onFocus, isWriting, onWrite, onClose }: AgentRowProps) {
  const t = useTranslate();
  const { pending } = useInbox();
  const now = useNow(10_000);
  const { id, asker, name, state, since, sessions, resume, output, undelivered, takesMessages } = agent;
  // A phone has room for the first of these.
  const place = [
    asker.project === undefined ? undefined : folderName(asker.project),
    asker.machine === undefined ? undefined : t("inbox.machine", { machine: asker.machine }),
    asker.branch,
  ].filter((part) => part !== undefined);
  const title = name ?? [clientTitle(asker.client.name), asker.agentId].filter((part) => part !== undefined).join(" · ");
  const time =
    state === "working" ? t("agents.heard", { ago: sayAgo(t, since, now) }) : t("agents.for", { time: sayDuration(t, now - since) });
  const endOf = (of: { id: string }) => pending.get(of.id)?.deadlineAt ?? Number.POSITIVE_INFINITY;
  const waiting = sessions.filter(({ status }) => status === "pending").sort((one, other) => endOf(one) - endOf(other));
  const shown = waiting[0] ?? sessions[0];
  return (
    <li
      className="agent"
      data-state={state}
      data-testid="agent"
      data-row={id}
      data-peeked={isPeeked || undefined}
      tabIndex={isPeeked ? 0 : -1}
      onFocus={onFocus}
    >
      <p className="agent-state">{t(`agents.state.${state}`)}</p>
      <p className="agent-time quiet">{time}</p>
      <p className="agent-head">
        <AgentText className="agent-name">{title}</AgentText>
        {place.length > 0 && (
          <AgentText className="agent-place quiet" title={asker.project}>
            {place.join(" · ")}
          </AgentText>
        )}
      </p>
      <p className="agent-asked">
        {shown !== undefined && (
          <>
            <Link href={(shown.status === "pending" ? sessionPath : historyPath)(shown.id)}>
              <AgentText>{shown.title ?? questionLine(shown)}</AgentText>
            </Link>
            {shown.status !== "pending" && <span className="quiet">{t(`agents.status.${shown.status}`)}</span>}
            {waiting.length > 1 && <span className="quiet">{t("agents.others", { count: waiting.length - 1 })}</span>}
          </>
        )}
        {undelivered > 0 && <span className="quiet">{t("agents.undelivered", { count: undelivered })}</span>}
      </p>
      <div className="agent-tools">
        {state === "gone" && resume !== undefined && <CopyButton text={resume.command} label={t("agents.resume.copy")} />}
        {takesMessages && !isWriting && (
          <button type="button" className="button small quiet-button" onClick={onWrite}>
            {t("agents.write")}
            <span className="visually-hidden">: {terminalLine([title, ...place].join(" · "))}</span>
            <KeyHint action="askBack" />
          </button>
        )}
      </div>
      {isPeeked && state === "gone" && resume !== undefined && (
        <p className="agent-resume">
          <span className="quiet">{t(`agents.resume.${resume.how}`)}</span>
          <code dir="ltr">
            <AgentText>{resume.command}</AgentText>
          </code>
        </p>
      )}
      {isPeeked && output !== undefined && (
        <details className="agent-output">
          <summary>{t("agents.output")}</summary>
          <pre dir="ltr">
            <AgentText>{output}</AgentText>
          </pre>
        </details>
      )}
      {isWriting && <MessageForm agentId={id} onClose={onClose} />}
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
