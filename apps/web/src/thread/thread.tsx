/** The thread with the agent below a question, and the field in which a person asks it something first. */
import "./thread.css";
import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { aboutNumber, isReply } from "@askbox/core/questions";
import { isAboutActions } from "@askbox/inbox/commands";
import { useAskbox, useNow } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useEffect, useRef, useState } from "react";
import type { AttachTarget } from "../attach/attachments.tsx";
import { useTranslate } from "../i18n/language.tsx";
import { isolated, sayActor, sayAgo } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Link, sessionPath } from "../router/router.tsx";
import { finishedOn } from "../session/next-session.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { useFocusPlace } from "../ui/focus-place.ts";
import { Key, KeyHint } from "../ui/key-hint.tsx";
import { later } from "../ui/later.tsx";
import { pageState } from "../ui/page-state.ts";
import { MessageField, useMessage } from "./message-field.tsx";

const AnswerFiles = later(async () => (await import("../attach/file-view.tsx")).AnswerFiles);

interface ThreadProps {
  session: SessionView;
  /** If the session is open, how something is asked. */
  asks?: {
    /** Whether the field is open. */
    isOpen: boolean;
    setOpen(isOpen: boolean): void;
    /** Whether the button that opens it is here, and not among the tools of a question. */
    hasButton: boolean;
    /** The id of the question if only one of several is shown. */
    shown: string | undefined;
  };
}

/** Whether the agent can be asked something first: a decision is allowed, or denied with a reason, instead. */
export const canAskBack = (session: SessionView): boolean => session.status === "pending" && !isAboutActions(session);

/** The thread with the agent, with a field to ask while the session is open. */
export function Thread({ session, asks }: ThreadProps) {
  const t = useTranslate();
  const { thread = [], replacedBy, status } = session;
  if (thread.length === 0 && replacedBy === undefined && status !== "pending") return null;
  return (
    <>
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
        {asks?.isOpen && canAskBack(session) && <AskBack session={session} shown={asks.shown} onClose={() => asks.setOpen(false)} />}
        {asks?.isOpen === false && asks.hasButton && canAskBack(session) && <AskButton onAsk={() => asks.setOpen(true)} />}
      </section>
      <NewReply session={session} thread={thread} />
    </>
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

/** Leads to a reply that came while the question is open, until it has been in sight. */
function NewReply({ session, thread }: { session: SessionView; thread: readonly ThreadMessage[] }) {
  const t = useTranslate();
  const last = thread.findLast(isReply)?.id;
  const [seen, setSeen] = useState(last);
  const messageOf = () => document.querySelector(`[data-message="${CSS.escape(last ?? "")}"]`);
  const isNew = last !== seen;
  useEffect(() => {
    const message = isNew ? messageOf() : undefined;
    if (message == null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(last);
    }, clearOfBar);
    observer.observe(message);
    return () => observer.disconnect();
  });
  if (!isNew) return null;
  return (
    <div className="thread-new">
      <button type="button" className="button small" onClick={() => messageOf()?.scrollIntoView({ block: "nearest" })}>
        {t("thread.new", { agent: isolated(terminalLine(clientTitle(session.asker.client.name))) })}
      </button>
    </div>
  );
}

/** Where a message is in sight: not behind the bar at the bottom. */
const clearOfBar = { rootMargin: "0px 0px -128px 0px" };

/** The messages that were sent from this page since it was loaded. A browser's name may be another person's, too. */
const askedHereOn = pageState(() => new Set<string>());

type ThreadMessage = NonNullable<SessionView["thread"]>[number];

function Message({ session, message }: { session: SessionView; message: ThreadMessage }) {
  const t = useTranslate();
  const now = useNow(10_000);
  const { asker, presence, questions, status } = session;
  const isOwn = askedHereOn(useAskbox()).has(message.id);
  const isFromAgent = isReply(message);
  const number = aboutNumber(questions, message);
  const isWaiting = !isFromAgent && message.deliveredAt === undefined;
  return (
    <li className="thread-message" data-message={message.id} data-from={isFromAgent ? "agent" : "person"}>
      <p className="thread-by">
        <strong>{isFromAgent ? <AgentText>{clientTitle(asker.client.name)}</AgentText> : sayAsked(t, message, isOwn)}</strong>
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

/** Who asked, or wrote without being asked. */
function sayAsked(t: Translate, message: ThreadMessage, isOwn: boolean): string {
  if (isOwn && !message.unasked) return t("thread.asked.here");
  return t(message.unasked ? "thread.message" : "thread.asked", { where: sayActor(t, message.by) });
}

const AttachedFiles = later(async () => (await import("../attach/attachments.tsx")).AttachedFiles);

interface AskBackProps {
  session: SessionView;
  shown: string | undefined;
  onClose(): void;
}

/** Opens the field. */
export function AskButton({ onAsk }: { onAsk(): void }) {
  const t = useTranslate();
  return (
    <div data-extra="ask-back">
      <button type="button" className="link-button tool" onClick={onAsk} data-testid="ask-back">
        {t("thread.ask")}
        <KeyHint action="askBack" />
      </button>
    </div>
  );
}

/** A field for asking the agent something first. It is in the form but doesn't change its answers. */
function AskBack({ session, shown, onClose }: AskBackProps) {
  const t = useTranslate();
  const page = useAskbox();
  const { desk, inbox } = page;
  const isInField = useFocusPlace() === "elsewhere";
  const ask = useRef<HTMLDivElement>(null);
  /** The question it is about; empty for all of them. If a key has opened the field, a question may have the focus. */
  const [about, setAbout] = useState(
    () => shown ?? document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"] ?? "",
  );
  const message = useMessage(
    session.id,
    async ({ text, files }, options) => {
      const asked = { text, ...(files.length > 0 && { files }), ...(about === "" ? {} : { questionId: about }) };
      const after = await desk.askBack(session.id, asked, options);
      const own = after.thread?.findLast((each) => !isReply(each) && each.text === text);
      if (own !== undefined) askedHereOn(page).add(own.id);
      inbox.accept(after);
      onClose();
      finishedOn(page).note();
    },
    onClose,
  );

  // However much it grows, its buttons stay clear of the bar at the bottom.
  useEffect(() => {
    const { current } = ask;
    if (current === null) return;
    const observer = new ResizeObserver(() => current.scrollIntoView({ block: "nearest" }));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  const target: AttachTarget = {
    sessionId: session.id,
    picker: "pick-message-files",
    attached: () => message.attached.current,
    setFiles: message.attach,
    expect: message.expect,
    saved: async () => {},
  };
  return (
    <div ref={ask} className="thread-ask" data-extra="ask-back">
      {session.questions.length > 1 && (
        <label className="thread-about">
          {t("thread.about.label")}
          <select
            value={about}
            disabled={message.isSending}
            data-own-keys
            onKeyDown={message.onKeyDown}
            onChange={(event) => {
              message.change();
              setAbout(event.target.value);
            }}
          >
            <option value="">{t("thread.about.all")}</option>
            {session.questions.map(({ id, header }, index) => (
              <option key={id} value={id}>
                {[t("thread.about.question", { number: index + 1 }), ...(header === undefined ? [] : [terminalLine(header)])].join(": ")}
              </option>
            ))}
          </select>
        </label>
      )}
      <MessageField
        message={message}
        label={t("thread.label")}
        hint={t(session.presence.asker === "away" ? "thread.away" : "thread.hint")}
        attachments={
          // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the keys of captions from the answer's form.
          <div onKeyDown={message.onKeyDown}>
            <AttachedFiles target={target} files={message.files} />
          </div>
        }
      >
        {t("thread.send")}
        {isInField && <Key name="enter" />}
      </MessageField>
    </div>
  );
}
