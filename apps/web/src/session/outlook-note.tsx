import { type SessionView, toAskboxError } from "@askbox/core";
import { clientTitle, type Outlook } from "@askbox/core/clients";
import { isAwaited } from "@askbox/inbox/describe";
import { outlookOf } from "@askbox/inbox/text";
import { useAskbox } from "@askbox/react";
import { useEffect, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { CopyButton } from "../ui/copy-button.tsx";

/**
 * How the agent will get the answer, said before it is sent; and if it has gone, the command that resumes it, and a button that starts it. What
 * waits, or comes back by itself, needs no words.
 */
export function OutlookNote({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const [outlook, setOutlook] = useState<Outlook>();
  const [isStarting, setStarting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { id, status, presence, waking, asker } = session;
  const isShown = isAwaited(session);
  // What matters for it, so that it is asked for only when that changes.
  const about = [status, presence.asker, waking?.state].join(" ");
  useEffect(() => {
    let isOver = false;
    // A hub that is too old doesn't say.
    if (isShown)
      void desk
        .outlook(id)
        .then((told) => !isOver && setOutlook(told))
        .catch(() => {});
    return () => {
      isOver = true;
    };
  }, [desk, id, isShown, about]);
  if (!isShown || outlook === undefined) return null;
  const { next, client, resume } = outlook;
  if (next === "waits" || (next === "next_call" && client !== "gone")) return null;
  const start = async () => {
    setStarting(true);
    setFailure(undefined);
    try {
      inbox.accept(await desk.wake(id));
    } catch (error) {
      setFailure(toAskboxError(error).message);
    }
    setStarting(false);
  };
  return (
    <section className="notice" data-testid="outlook">
      <p>
        <AgentText>{t(`outlook.${outlookOf(outlook, session)}`, { agent: clientTitle(asker.client.name) })}</AgentText>
      </p>
      {(next === "start" || next === "next_call") && resume !== undefined && (
        <>
          <p>
            <code dir="ltr">
              <AgentText>{resume.command}</AgentText>
            </code>
          </p>
          <CopyButton text={resume.command} label={t("agents.resume.copy")} />{" "}
        </>
      )}
      {next === "start" && status !== "pending" && (
        <button type="button" className="button small" disabled={isStarting} onClick={() => void start()}>
          {t("outlook.button")}
        </button>
      )}
      {failure !== undefined && (
        <p className="error" role="alert">
          {failure}
        </p>
      )}
    </section>
  );
}
