import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, isReply } from "@askbox/core/questions";
import { isAboutActions } from "@askbox/inbox/commands";
import { useNow } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { sayActor, sayAgo } from "../i18n/phrases.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Link, sessionPath } from "../router/router.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { later } from "../ui/later.tsx";
import { AskBack, type AskBackProps } from "./ask-back.tsx";
import "./thread.css";

const AnswerFiles = later(async () => (await import("../attach/file-view.tsx")).AnswerFiles);

/** The thread with the agent, with a field to ask while the session is open. */
export function Thread({ session, shown }: AskBackProps) {
  const t = useTranslate();
  const { thread = [], replacedBy, status } = session;
  if (thread.length === 0 && replacedBy === undefined && status !== "pending") return null;
  // A decision is allowed or denied with a reason instead.
  return (
    <section className="thread" aria-label={t("thread.title")} data-testid="thread">
      {thread.length > 0 && <Messages session={session} thread={thread} />}
      {replacedBy !== undefined && (
        <p className="notice">
          {t("thread.replaced")}
          <Link href={sessionPath(replacedBy)} className="button small">
            {t("thread.replaced.open")}
          </Link>
        </p>
      )}
      {status === "pending" && !isAboutActions(session) && <AskBack session={session} shown={shown} />}
    </section>
  );
}

/** What was asked back and replied. */
export function Messages({ session, thread }: { session: SessionView; thread: readonly ThreadMessage[] }) {
  return (
    <ol className="thread-messages" aria-live="polite">
      {thread.map((message) => (
        <Message key={message.id} session={session} message={message} />
      ))}
    </ol>
  );
}

type ThreadMessage = NonNullable<SessionView["thread"]>[number];

function Message({ session, message }: { session: SessionView; message: ThreadMessage }) {
  const t = useTranslate();
  const now = useNow(10_000);
  const { asker, presence, questions, status } = session;
  const isFromAgent = isReply(message);
  const number = aboutNumber(questions, message);
  const isWaiting = !isFromAgent && message.deliveredAt === undefined;
  return (
    <li className="thread-message" data-from={isFromAgent ? "agent" : "person"}>
      <p className="thread-by">
        <strong>
          {isFromAgent ? (
            <AgentText>{clientTitle(asker.client.name)}</AgentText>
          ) : (
            t(message.unasked ? "thread.message" : "thread.asked", { where: sayActor(t, message.by) })
          )}
        </strong>
        {number > 0 && <span>{t("thread.about", { number })}</span>}
        <span className="quiet">{sayAgo(t, message.at, now)}</span>
      </p>
      {message.text !== "" && <Markdown text={message.text} />}
      {message.files !== undefined && <AnswerFiles sessionId={session.id} files={message.files} />}
      {isWaiting && message.unasked && <p className="quiet">{t("thread.undelivered")}</p>}
      {isWaiting && status === "pending" && presence.asker === "away" && <p className="quiet">{t("thread.away")}</p>}
    </li>
  );
}
