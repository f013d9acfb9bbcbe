import type { SessionView } from "@askbox/core";
import { type AnswerForm, sessionTitle, useAskbox, useInbox, useNow } from "@askbox/react";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isolated, sayDuration } from "../i18n/phrases.ts";
import { Link, navigate, sessionPath } from "../router/router.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { outcomeTitle } from "./outcome.tsx";
import { forgetSent, useSent } from "./sent.ts";

/** How long a sent answer is announced, in ms. */
const saidFor = 4_000;

/** The answer that was sent before this question opened, while it is announced. */
export function useLeftBehind(openId: string): SessionView | undefined {
  const sent = useSent();
  const { pending, settled } = useInbox();
  const id = sent.findLast((each) => each !== openId);
  return id === undefined ? undefined : (pending.get(id) ?? settled.get(id));
}

/** Undoes an answer sent from an earlier question, and returns to that question. */
export async function undoLeftBehind(form: AnswerForm): Promise<void> {
  if (!(await form.recall())) return;
  forgetSent(form.sessionId);
  navigate(sessionPath(form.sessionId));
}

/** Shows the state of the answer sent before this question opened, with a button to undo it. */
export function SentBar({ session, typing }: { session: SessionView; typing: boolean }) {
  const t = useTranslate();
  const { forms } = useAskbox();
  const form = forms.of(session);
  const { phase, scheduled, settledHere } = useSyncExternalStore(form.subscribe, form.getState);
  const now = useNow(250);
  const { id } = session;
  const isDone = phase === "editing" || (phase === "settled" && settledHere);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => forgetSent(id), saidFor);
    return () => clearTimeout(timer);
  }, [isDone, id]);
  const time = scheduled === undefined ? "" : sayDuration(t, Math.max(0, scheduled.sendAt - now) + 999);
  const title = isolated(sessionTitle(session));
  if (phase === "editing") return null;
  return (
    <div className="sent-bar" data-testid="sent-bar">
      <span role="status">
        {phase === "settled" ? outcomeTitle(t, session, settledHere) : t("sent.scheduled")}
        <span className="visually-hidden">: </span>
        <bdi className="quiet"> {title}</bdi>
      </span>
      {scheduled === undefined ? (
        <Link href={sessionPath(id)} className="link-button" onClick={() => forgetSent(id)}>
          {t("sent.open")}
        </Link>
      ) : (
        <>
          <span className="quiet">{t("action.scheduled", { time })}</span>
          <button type="button" className="link-button" data-testid="undo-sent" onClick={() => void undoLeftBehind(form)}>
            {t("action.undo")}
            <KeyHint action="undo" typing={typing} />
          </button>
        </>
      )}
    </div>
  );
}
