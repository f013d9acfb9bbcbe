import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { type AnswerForm, type FormState, folderName, sessionTitle } from "@askbox/inbox";
import { useAskbox, useNow } from "@askbox/react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayActor, sayAgo } from "../i18n/phrases.ts";
import { AskerState } from "../inbox/session-row.tsx";
import { AgentText } from "../ui/agent-text.tsx";
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
  const t = useTranslate();
  const { clock } = useAskbox();
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
        {session.status === "pending" && (
          <div className="session-time">
            <TimeLeft session={session} />
            {session.deadlineAt !== null && (
              <fieldset className="more-time">
                <legend className="visually-hidden">{t("time.more")}</legend>
                {extensions.map(({ timeout, label }) => (
                  <button
                    key={label}
                    type="button"
                    className="link-button"
                    onClick={() => void form.extend(extended(session, timeout, clock.now()))}
                  >
                    {t(label)}
                  </button>
                ))}
              </fieldset>
            )}
          </div>
        )}
      </div>
      {session.status === "pending" && <DeadlineBar session={session} />}
    </header>
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
  const { client, project, branch, agentId } = asker;
  // This page is one of the viewers.
  const others = presence.openIn.filter(({ surface }) => surface !== "web").map((viewer) => sayActor(t, viewer));
  return (
    <p className="asker">
      <AgentText title={client.version}>{clientTitle(client.name)}</AgentText>
      {agentId !== undefined && <AgentText>{t("session.agent", { id: agentId })}</AgentText>}
      {project !== undefined && (
        <AgentText title={project} className="folder">
          {folderName(project)}
        </AgentText>
      )}
      {branch !== undefined && <AgentText className="branch">{branch}</AgentText>}
      <span>{t("session.asked", { time: sayAgo(t, createdAt, now) })}</span>
      {status === "pending" && <AskerState session={session} />}
      {others.length > 0 && <span>{t("presence.also", { where: [...new Set(others)].join(", ") })}</span>}
    </p>
  );
}
