import type { SessionView } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { emptyField, sessionTitle, type Unread, unreadIn } from "@askbox/inbox";
import { useAnswerForm, useAskbox, useSession } from "@askbox/react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslate } from "../i18n/language.tsx";
import { isolated, sayProblem } from "../i18n/phrases.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { isAnsweredByPick, minUndoSeconds } from "../session/send-on-pick.ts";
import { noteSent } from "../session/sent.ts";
import { useSettings } from "../stored-settings.ts";
import { isComposing, isTyping, keymap, keyOf } from "../ui/keyboard.ts";
import { useInForeground } from "../ui/use-media.ts";
import { QuestionWidget } from "../widgets/question-widget.tsx";
import { LookContext, useLook } from "../widgets/use-look.ts";
import { pickOfDigit, sayExpected, shiftedDigit } from "../widgets/widget.ts";

/** Roughly what fits in a row; a longer question is repeated in full above its answer. */
const fitsInRow = 40;

/** A question's widget in its row. It edits the same draft as the question's own form. */
export function AnswerCard({ session, onClose }: { session: SessionView; onClose(): void }) {
  const t = useTranslate();
  const page = useAskbox();
  const { undoSeconds, sendOnPick } = useSettings();
  // Answering here counts as having the question open, which others and the agent can see.
  useSession(session.id, { isShown: useInForeground() });
  const { form, state } = useAnswerForm(session);
  const [labelId, errorId, hintId] = [useId(), useId(), useId()];
  const card = useRef<HTMLFormElement>(null);
  const isMoving = useRef(false);
  const looked = useLook(card, form);
  const [unread, setUnread] = useState<Unread>();
  useEffect(() => {
    const first =
      card.current?.querySelector<HTMLElement>("textarea, [data-first]") ?? card.current?.querySelector<HTMLElement>("input, button");
    first?.focus();
  }, []);
  const [question] = session.questions;
  if (question === undefined || state.phase === "scheduled" || state.phase === "settled") return null;
  const field = state.fields[question.id] ?? emptyField;
  const problem = state.errors[question.id];
  const failure = state.failure;
  const expected = sayExpected(t, question);
  const isSending = state.phase === "sending" || state.awaitsFiles;
  const takesWords = traitsOf(question).typed === "words";
  const title = sessionTitle(session);
  const isInRow = title === question.question && title.length <= fitsInRow;

  const send = async (delay = undoSeconds) => {
    const why = unreadIn(form.getState(), looked());
    setUnread(why);
    if (why !== undefined) return;
    const item = card.current?.closest("li");
    const next = item?.nextElementSibling ?? item?.previousElementSibling;
    if (!(await form.submit({ delay: delay * 1_000 }))) return;
    // The card goes, and without time to undo so does the row; the focus stays in the list.
    flushSync(() => noteSent(page, session.id));
    if (document.activeElement === document.body) (item?.isConnected ? item : next)?.querySelector<HTMLElement>(".row")?.focus();
  };
  const mayAllow = (id: string): boolean => {
    const why = looked().unread(id);
    setUnread(why);
    return why === undefined;
  };
  /** Sends the answer after a pick, if this is enabled in the settings. */
  const picked = () => {
    if (sendOnPick && isAnsweredByPick(question, form.getState())) void send(Math.max(undoSeconds, minUndoSeconds));
  };
  const pick = (key: string, shifted?: string): boolean => {
    const yesOrNo = keymap.find(key, ["yes", "no"] as const);
    if (yesOrNo === undefined || !offeredOptions(question).some(({ value }) => value === yesOrNo)) {
      const pick = pickOfDigit(form.getState(), question, shifted ?? key);
      if (pick !== undefined) form.edit(question.id, pick.edit);
      return pick !== undefined;
    }
    form.choose(question.id, yesOrNo);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const key = keyOf(event);
    const isText = isTyping(event);
    if (key === "escape") onClose();
    else if (key === "ctrl+enter" || (key === "enter" && !isText && (event.target as Element).matches("input"))) void send();
    else if (isText || !pick(key, shiftedDigit(event.nativeEvent))) return;
    else picked();
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      ref={card}
      className="row-card"
      noValidate
      onKeyDown={onKeyDown}
      // Arrow keys select each radio on the way.
      onKeyDownCapture={({ key }) => {
        isMoving.current = key.startsWith("Arrow");
      }}
      onPointerDownCapture={() => {
        isMoving.current = false;
      }}
      onChange={({ target }) => {
        if ((target as HTMLElement as HTMLInputElement).type === "radio" && !isMoving.current) picked();
      }}
      onInput={() => form.focus({ questionId: question.id })}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) form.focus(undefined);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {!isInRow && <Markdown text={question.question} />}
      <Pictures sessionId={session.id} question={question} only={question.images ?? []} />
      <p id={labelId} className="visually-hidden">
        {t("inbox.reply.label", { title: isolated(title) })}
      </p>
      {expected !== undefined && (
        <p id={hintId} className="expected">
          {expected}
        </p>
      )}
      <fieldset className="fields" disabled={isSending}>
        <LookContext value={mayAllow}>
          <QuestionWidget
            question={question}
            field={field}
            form={form}
            error={problem}
            labelId={labelId}
            errorId={errorId}
            hintId={expected === undefined ? undefined : hintId}
          />
        </LookContext>
      </fieldset>
      <p id={errorId} className="error" role="alert">
        {problem !== undefined && sayProblem(t, problem)}
        {unread !== undefined && t(`approval.${unread}`)}
        {failure !== undefined &&
          (failure.code === "HUB_UNREACHABLE" ? t("error.unreachable") : t("error.submit", { message: failure.message }))}
      </p>
      <p className="row-card-tools">
        <button type="button" className="button small quiet-button" onClick={onClose}>
          {t("inbox.reply.close")}
        </button>
        <button type="submit" className="button small primary" disabled={isSending}>
          {t(isSending ? "action.sending" : takesWords ? "action.reply" : "action.send")}
        </button>
      </p>
    </form>
  );
}
