/**
 * What was just sent, declined or snoozed, with a way back, and what an agent replied: one toast, the latest. Each has its own time, whether
 * it is shown or a later one covers it, so that none comes up again once its time is over.
 */
import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { cut } from "@askbox/core/questions";
import { type Askbox, answerOf, emptyField, type FormState, sessionTitle } from "@askbox/inbox";
import { isDecision } from "@askbox/inbox/commands";
import { describeAnswers } from "@askbox/inbox/describe";
import { useAskbox, useInbox } from "@askbox/react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import { sayAnswer, sayGiven } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { type LastSnooze, setLastSnooze, useLastSnooze } from "../inbox/last-snooze.ts";
import { useDeclines, useUndoable } from "../inbox/use-declines.ts";
import { Link, navigate, sessionPath } from "../router/router.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { outcomeTitle } from "./outcome.tsx";
import { declined, forgetSent, noteReply, replied, snoozed, useReply, useSent } from "./sent.ts";
import "./toasts.css";

/** How long a sent answer is announced once it can't be undone, in ms. */
const sentFor = 4_000;
/** How long a snooze can be undone, in ms. */
const snoozeUndo = 10_000;
/** How long an agent's reply is announced, in ms. */
const replyFor = 10_000;
/** Longer answers are cut, so that what they were given to is seen, too; in characters. */
const longestAnswer = 60;

/** Undoes an answer sent from an earlier question, and returns to that question. */
export async function undoSent(page: Askbox, id: string): Promise<void> {
  const session = page.inbox.find(id);
  if (session === undefined || !(await page.forms.of(session).recall())) return;
  forgetSent(page, id);
  navigate(sessionPath(id));
}

/** Lies over the page, so that nothing under the pointer moves. The open question says by itself what became of it. */
export function Toasts({ openId }: { openId: string | undefined }) {
  const page = useAskbox();
  const { pending, settled } = useInbox();
  const { failure } = useDeclines();
  const snooze = useLastSnooze();
  const undoable = useUndoable();
  const reply = pending.get(useReply() ?? "");
  const sent = useSent();
  const sessions = sent.flatMap((id) => pending.get(id) ?? settled.get(id) ?? []);
  const latest = sent.findLast((id) => {
    if (id === declined) return failure !== undefined || undoable.includes(id);
    if (id === replied) return reply !== undefined && reply.id !== openId;
    return id === snoozed ? snooze !== undefined : id !== openId && sessions.some((session) => session.id === id);
  });
  const more = undoable.filter((id) => id !== latest && id !== openId).length;
  const session = sessions.find(({ id }) => id === latest);
  return (
    <div className="toasts" role="status">
      {session !== undefined && <SentToast key={latest} session={session} goesBack={openId !== undefined} more={more} />}
      {latest === snoozed && snooze !== undefined && <SnoozeToast snooze={snooze} more={more} />}
      {latest === replied && reply !== undefined && <ReplyToast session={reply} />}
      {latest === declined && <DeclinedToast more={more} />}
      {sessions.map((each) => (
        <SentTime key={each.id} session={each} />
      ))}
      <Time of={snooze} lasts={snoozeUndo} onEnd={() => setLastSnooze(page, undefined)} />
      <Time
        of={reply && `${reply.id} ${reply.thread?.length}`}
        lasts={reply?.id === openId ? 0 : replyFor}
        onEnd={() => noteReply(page, undefined)}
      />
    </div>
  );
}

/** Ends what a toast is about once its time is over, whether it is shown or not; another one has its own time. */
function Time({ of, lasts, onEnd }: { of: unknown; lasts: number; onEnd(): void }) {
  const { clock } = useAskbox();
  useEffect(() => (of === undefined ? undefined : clock.setTimer(lasts, onEnd)), [of, lasts, clock]);
  return null;
}

/** A sent answer is announced for a while once it can't be undone; one that was recalled, or that another one came before, has no more to say. */
function SentTime({ session }: { session: SessionView }) {
  const page = useAskbox();
  const { phase, settledHere } = useFormState(session);
  const isOver = phase === "editing" || (phase === "settled" && settledHere);
  return <Time of={isOver || undefined} lasts={sentFor} onEnd={() => forgetSent(page, session.id)} />;
}

function useFormState(session: SessionView): FormState {
  const form = useAskbox().forms.of(session);
  return useSyncExternalStore(form.subscribe, form.getState);
}

function SentToast({ session, goesBack, more }: { session: SessionView; goesBack: boolean; more: number }) {
  const t = useTranslate();
  const page = useAskbox();
  const state = useFormState(session);
  const { phase, scheduled, settledHere } = state;
  const { id } = session;
  if (phase === "editing") return null;
  const title = isolated(sessionTitle(session));
  const done = phase === "settled" && !settledHere ? outcomeTitle(t, session, false) : sayDone(t, state);
  const undo = async () => {
    if (goesBack) return undoSent(page, id);
    if (await page.forms.of(session).recall()) forgetSent(page, id);
  };
  return (
    <Toast
      undo={scheduled && { run: () => void undo(), until: scheduled.sendAt, more }}
      open={phase === "settled" && { id, onOpen: () => forgetSent(page, id) }}
    >
      {t("sent.done", { done, title })}
    </Toast>
  );
}

/** What was done with a set: `Sent “Yes”`, `Sent 3 answers`, or its decision. */
function sayDone(t: Translate, { session, fields }: FormState): string {
  const [only, ...more] = session.questions;
  if (only === undefined || more.length > 0) return t("sent.several", { count: session.questions.length });
  const answer = answerOf(only, fields[only.id] ?? emptyField);
  if (isDecision(session)) return isolated(sayGiven(t, only, answer));
  return t("sent.one", { answer: isolated(cut(sayAnswer(t, only, answer), longestAnswer) || t("question.skipped")) });
}

/** An agent's reply to what was asked back. */
function ReplyToast({ session: { id, asker, ...session } }: { session: SessionView }) {
  const t = useTranslate();
  const title = isolated(sessionTitle({ id, asker, ...session }));
  return <Toast open={{ id }}>{t("alerts.reply", { agent: isolated(clientTitle(asker.client.name)), title })}</Toast>;
}

function SnoozeToast({ snooze: { ids, until, undo }, more }: { snooze: LastSnooze; more: number }) {
  const t = useTranslate();
  const { moment, time } = useFormats();
  const { clock, inbox } = useAskbox();
  const [only, ...others] = ids.flatMap((id) => inbox.find(id) ?? []);
  const isToday = new Date(until).toDateString() === new Date(clock.now()).toDateString();
  const at = (isToday ? time : moment)(until);
  return (
    <Toast key={until} undo={{ run: undo, until: clock.now() + snoozeUndo, more }}>
      {only !== undefined && others.length === 0
        ? t("sent.done", { done: t("snooze.one", { time: at }), title: isolated(sessionTitle(only)) })
        : t("snooze.done", { count: ids.length, time: at })}
    </Toast>
  );
}

function DeclinedToast({ more }: { more: number }) {
  const t = useTranslate();
  const { pending, drafts } = useInbox();
  const { waiting, failure, undo } = useDeclines();
  if (failure !== undefined)
    return (
      <Toast>
        <span className="error">{t("decline.failed", { message: failure })}</span>
      </Toast>
    );
  const [only, ...others] = waiting.flatMap((id) => pending.get(id) ?? []);
  const until = drafts.get(only?.id ?? "")?.scheduled?.sendAt;
  return (
    <Toast key={until} undo={{ run: undo, until, more }}>
      {only === undefined || others.length > 0
        ? t("decline.done", { count: waiting.length })
        : t("sent.done", { done: sayDeclined(t, only), title: isolated(sessionTitle(only)) })}
    </Toast>
  );
}

/** To decline an action is to deny it. */
function sayDeclined(t: Translate, { questions }: SessionView): string {
  const answers = questions.map(({ id }) => ({ questionId: id, values: ["deny"] }));
  const { ending } = describeAnswers(questions, answers);
  return t(`ending.${ending === "denied" || ending === "kept" ? ending : "declined"}`);
}

interface ToastProps {
  children: ReactNode;
  /** The way back, until when in the page's time, and how many earlier ones have one, too. */
  undo?: { run(): void; until: number | undefined; more: number } | undefined;
  /** The question that a link opens. Beside the text, of which a toast shows two lines. */
  open?: false | { id: string; onOpen?: () => void };
}

function Toast({ children, undo, open = false }: ToastProps) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const { until, more = 0 } = undo ?? {};
  // It is drawn by the style, from when it is first shown.
  const [left] = useState(() => (until === undefined ? 0 : until - clock.now()));
  return (
    <p className="toast" data-testid="toast">
      <span className="toast-text">{children}</span>
      {open && (
        <Link href={sessionPath(open.id)} className="link-button" onClick={open.onOpen}>
          {t("sent.open")}
        </Link>
      )}
      {undo !== undefined && (
        <span className="toast-undo">
          <button type="button" className="link-button" onClick={undo.run}>
            {t("action.undo")}
            <KeyHint action="undo" />
          </button>
          {more > 0 && (
            <span className="toast-more quiet">
              <span aria-hidden="true">{t("sent.more", { count: more })}</span>
              <span className="visually-hidden">{t("sent.more.label", { count: more })}</span>
            </span>
          )}
        </span>
      )}
      {undo !== undefined && <span className="toast-time" style={{ animationDuration: `${left}ms` }} />}
    </p>
  );
}
