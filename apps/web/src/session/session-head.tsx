import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { type AnswerForm, type FormState, folderName, sessionTitle } from "@askbox/inbox";
import { isDenial } from "@askbox/inbox/list";
import { useAskbox, useNow } from "@askbox/react";
import { useId, useRef } from "react";
import { createPortal } from "react-dom";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayActor, sayAgo } from "../i18n/phrases.ts";
import { AskerState } from "../inbox/session-row.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { OnMachine } from "../ui/on-machine.tsx";
import { useMedia } from "../ui/use-media.ts";
import { DeadlineBar, TimeLeft } from "./time-left.tsx";

const extensions: readonly { timeout: number | null; label: MessageKey }[] = [
  { timeout: 300_000, label: "time.more.5" },
  { timeout: 900_000, label: "time.more.15" },
  { timeout: null, label: "time.more.none" },
];

/** The maximum that the desk accepts, in ms. */
const maxExtension = 86_400_000;

/** What is asked by whom, from where, and how much time is left. */
export function SessionHead({ form, state }: { form: AnswerForm; state: FormState }) {
  const { session } = state;
  const isItsQuestion = session.title === undefined && session.questions.length === 1;
  return (
    <header className="session-head">
      {/* A single question without a title is shown right below. */}
      <h1 tabIndex={-1} id="session-title" className={isItsQuestion ? "visually-hidden" : undefined}>
        <AgentText>{sessionTitle(session)}</AgentText>
      </h1>
      <div className="session-meta">
        <Asker session={session} />
        {session.status === "pending" && <SessionTime session={session} onMore={(timeout) => void form.extend(timeout)} />}
      </div>
      {session.status === "pending" && <DeadlineBar session={session} />}
    </header>
  );
}

/** The time left, and more of it. On a narrow screen it is in the page's header, where it stays in view and takes no line. */
function SessionTime({ session, onMore }: { session: SessionView; onMore(timeout: number | null): void }) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const id = useId();
  const isNarrow = useMedia("(width < 56rem)");
  const menu = useRef<HTMLDivElement>(null);
  const header = isNarrow ? document.querySelector(".header-tools") : null;
  const more = extensions.map(({ timeout, label }) => (
    <button key={label} type="button" className="link-button" onClick={() => onMore(extended(session, timeout, clock.now()))}>
      {t(label)}
    </button>
  ));
  if (header === null) {
    return (
      <div className="session-time">
        <TimeLeft session={session} />
        {session.deadlineAt !== null && (
          <fieldset className="more-time">
            <legend className="visually-hidden">{t("time.more")}</legend>
            {more}
          </fieldset>
        )}
      </div>
    );
  }
  if (session.deadlineAt === null) return null;
  return createPortal(
    <div className="more-time" data-in-header>
      <button type="button" className="link-button" popoverTarget={id} aria-description={t("time.more")}>
        <TimeLeft session={session} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a button clicks it, too. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be a popover in every browser. */}
      <div ref={menu} id={id} popover="auto" role="group" aria-label={t("time.more")} onClick={() => menu.current?.hidePopover()}>
        {more}
      </div>
    </div>,
    header,
  );
}

/** Adds to the time left; the desk expects a time from now. */
function extended({ deadlineAt }: SessionView, more: number | null, now: number): number | null {
  return more === null || deadlineAt === null ? null : Math.min(maxExtension, Math.max(0, deadlineAt - now) + more);
}

/** Who asks, from where and since when. */
export function Asker({ session }: { session: SessionView }) {
  const t = useTranslate();
  const now = useNow(5_000);
  const { asker, presence, createdAt, status } = session;
  const { client, project, branch, agentId, machine } = asker;
  // This page is one of the viewers.
  const others = presence.openIn.filter(({ surface }) => surface !== "web").map((viewer) => sayActor(t, viewer));
  return (
    <>
      <p className="asker">
        <AgentText title={client.version}>{clientTitle(client.name)}</AgentText>
        {agentId !== undefined && <AgentText>{t("session.agent", { id: agentId })}</AgentText>}
        {project !== undefined && (
          <AgentText title={project} className="folder">
            {folderName(project)}
          </AgentText>
        )}
        {branch !== undefined && <AgentText className="branch">{branch}</AgentText>}
        <OnMachine machine={machine} />
        <span className="asked">{t("session.asked", { time: sayAgo(t, createdAt, now) })}</span>
        {status === "pending" && !isDenial(session) && <AskerState session={session} />}
      </p>
      {others.length > 0 && <p className="asker also">{t("presence.also", { where: [...new Set(others)].join(", ") })}</p>}
    </>
  );
}
