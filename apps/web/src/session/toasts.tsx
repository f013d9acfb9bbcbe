import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { type Askbox, answerOf, emptyField, sessionTitle } from "@askbox/inbox";
import { isDecision } from "@askbox/inbox/commands";
import { useAskbox, useInbox } from "@askbox/react";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import { sayAnswer } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { type LastSnooze, setLastSnooze, useLastSnooze } from "../inbox/last-snooze.ts";
import { useDeclines } from "../inbox/use-declines.ts";
import { Link, navigate, sessionPath } from "../router/router.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { outcomeTitle } from "./outcome.tsx";
import { forgetSent, noteReply, useReply, useSent } from "./sent.ts";
import { placed } from "./slots.ts";
import "./toasts.css";

/** How long a sent answer is announced once it can't be undone, in ms. */
const sentFor = 4_000;
/** How long a snooze can be undone, in ms. */
const snoozeUndo = 10_000;
/** How long an agent's reply is announced, in ms. */
const replyFor = 10_000;
const maxShown = 3;
/** Of all kinds together, as the style has rows. */
const maxToasts = 7;

/** The answer that was sent before this question opened, while it is announced. */
export function useSentBefore(openId: string): SessionView | undefined {
  const sent = useSent();
  const { pending, settled } = useInbox();
  const id = sent.findLast((each) => each !== openId);
  return id === undefined ? undefined : (pending.get(id) ?? settled.get(id));
}

/** Undoes an answer sent from an earlier question, and returns to that question. */
export async function undoSent(page: Askbox, session: SessionView): Promise<void> {
  if (!(await page.forms.of(session).recall())) return;
  forgetSent(page, session.id);
  navigate(sessionPath(session.id));
}

/** What was just sent, declined or snoozed, with a way back. They lie over the page, so that nothing under the pointer moves. */
export function Toasts({ openId }: { openId: string | undefined }) {
  const t = useTranslate();
  const { pending, settled } = useInbox();
  const { waiting, failure, undo } = useDeclines();
  const snooze = useLastSnooze();
  const replied = pending.get(useReply() ?? "");
  const sent = useSent()
    .filter((id) => id !== openId)
    .flatMap((id) => pending.get(id) ?? settled.get(id) ?? [])
    .slice(-maxShown);
  const toasts: { key: string; toast: ReactNode }[] = [];
  if (snooze !== undefined && waiting.length === 0) toasts.push({ key: "snooze", toast: <SnoozeToast snooze={snooze} /> });
  for (const [index, session] of sent.entries()) {
    const isLast = index === sent.length - 1 && waiting.length === 0;
    toasts.push({ key: session.id, toast: <SentToast session={session} isLast={isLast} goesBack={openId !== undefined} /> });
  }
  if (replied !== undefined) toasts.push({ key: "reply", toast: <ReplyToast session={replied} isOpen={replied.id === openId} /> });
  if (failure !== undefined) {
    const text = <span className="error">{t("decline.failed", { message: failure })}</span>;
    toasts.push({ key: "failure", toast: <Toast>{text}</Toast> });
  }
  if (waiting.length > 0) {
    const toast = (
      <Toast onUndo={undo} hasKey>
        {sayDeclined(t, waiting, pending)}
      </Toast>
    );
    toasts.push({ key: "declined", toast });
  }
  const places = useRef<ReadonlyMap<string, number>>(new Map());
  places.current = placed(
    toasts.map(({ key }) => key),
    places.current,
  );
  return (
    <div className="toasts" role="status">
      {toasts.map(({ key, toast }) => (
        <div key={key} className="toast-place" style={{ gridRow: maxToasts - (places.current.get(key) ?? 0) }}>
          {toast}
        </div>
      ))}
    </div>
  );
}

function SentToast({ session, isLast, goesBack }: { session: SessionView; isLast: boolean; goesBack: boolean }) {
  const t = useTranslate();
  const page = useAskbox();
  const form = page.forms.of(session);
  const state = useSyncExternalStore(form.subscribe, form.getState);
  const { phase, scheduled, settledHere } = state;
  const { id, questions } = session;
  const isDone = phase === "editing" || (phase === "settled" && settledHere);
  useEffect(() => {
    if (!isDone) return;
    return page.clock.setTimer(sentFor, () => forgetSent(page, id));
  }, [isDone, id, page]);
  if (phase === "editing") return null;
  const title = isolated(sessionTitle(session));
  const [only, ...more] = questions;
  const text =
    phase === "settled" && !settledHere
      ? `${outcomeTitle(t, session, false)}: ${title}`
      : only === undefined || more.length > 0
        ? t("sent.several", { count: questions.length, title })
        : t("sent.one", {
            answer: isolated(sayAnswer(t, only, answerOf(only, state.fields[only.id] ?? emptyField)) || t("question.skipped")),
            title,
          });
  const undo = async () => {
    if (goesBack) return undoSent(page, session);
    if (await form.recall()) forgetSent(page, id);
  };
  return (
    <Toast
      onUndo={scheduled === undefined ? undefined : () => void undo()}
      hasKey={isLast}
      open={phase === "settled" && { id, onOpen: () => forgetSent(page, id) }}
    >
      {text}
    </Toast>
  );
}

/** An agent's reply to what was asked back, unless it is read already. */
function ReplyToast({ session, isOpen }: { session: SessionView; isOpen: boolean }) {
  const t = useTranslate();
  const page = useAskbox();
  const { id, asker, thread = [] } = session;
  useEffect(() => {
    return page.clock.setTimer(isOpen ? 0 : replyFor, () => noteReply(page, undefined));
  }, [isOpen, id, thread.length, page]);
  if (isOpen) return null;
  return (
    <Toast open={{ id }}>
      {t("alerts.reply", { agent: isolated(clientTitle(asker.client.name)), title: isolated(sessionTitle(session)) })}
    </Toast>
  );
}

function SnoozeToast({ snooze: { ids, until, undo } }: { snooze: LastSnooze }) {
  const t = useTranslate();
  const { moment, time } = useFormats();
  const page = useAskbox();
  const { clock } = page;
  useEffect(() => clock.setTimer(snoozeUndo, () => setLastSnooze(page, undefined)), [ids, until, clock, page]);
  const isToday = new Date(until).toDateString() === new Date(clock.now()).toDateString();
  return <Toast onUndo={undo}>{t("snooze.done", { count: ids.length, time: (isToday ? time : moment)(until) })}</Toast>;
}

interface ToastProps {
  children: ReactNode;
  onUndo?: (() => void) | undefined;
  /** Whether the key for undo is for this one. */
  hasKey?: boolean;
  /** The question that a link opens. Beside the text, of which a toast shows two lines. */
  open?: false | { id: string; onOpen?: () => void };
}

function Toast({ children, onUndo, hasKey = false, open = false }: ToastProps) {
  const t = useTranslate();
  return (
    <p className="toast" data-testid="toast">
      <span className="toast-text">{children}</span>
      {open && (
        <Link href={sessionPath(open.id)} className="link-button" onClick={open.onOpen}>
          {t("sent.open")}
        </Link>
      )}
      {onUndo !== undefined && (
        <button type="button" className="link-button" onClick={onUndo}>
          {t("action.undo")}
          {/* Without the key its room stays, so that the button does. */}
          <span className={hasKey ? undefined : "toast-no-key"}>
            <KeyHint action="undo" />
          </span>
        </button>
      )}
    </p>
  );
}

function sayDeclined(t: Translate, ids: readonly string[], pending: ReadonlyMap<string, SessionView>): string {
  const [only, ...more] = ids.flatMap((id) => pending.get(id) ?? []);
  if (only === undefined || more.length > 0) return t("decline.done", { count: ids.length });
  return t(isDecision(only) ? "deny.done" : "decline.one", { title: isolated(sessionTitle(only)) });
}
