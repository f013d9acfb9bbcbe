import type { SessionView } from "@askbox/core";
import { type AnswerForm, type FormState, useAnswerForm, useNow } from "@askbox/react";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo } from "../i18n/phrases.ts";
import { useSettings } from "../settings/settings.ts";
import { Thread } from "../thread/thread.tsx";
import { isComposing, isTyping, keyOf } from "../ui/keyboard.ts";
import { ActionBar } from "./action-bar.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { focusFirstError, focusStart, useFocusKept, useFocusOnStep } from "./focus.ts";
import { useFormKeys } from "./form-keys.ts";
import { Answers, Outcome } from "./outcome.tsx";
import { Extra, QuestionCard } from "./question-card.tsx";
import { Review } from "./review.tsx";
import { SessionHead } from "./session-head.tsx";

/** A session and the form to answer it. */
export function AnswerPane({ session }: { session: SessionView }) {
  const { layout, undoSeconds } = useSettings();
  const { form, state } = useAnswerForm(session, { layout });
  const [cancelling, setCancelling] = useState(false);
  const pane = useRef<HTMLFormElement>(null);
  const isClicked = useRef(false);
  const { questions } = state.session;
  const isOpen = state.phase === "editing";
  const isLast = state.layout === "page" || state.step === state.steps - 1;
  useFocusOnStep(pane, state);
  useFocusKept(pane, state.phase);

  const goOn = async () => {
    const isTaken = isLast ? await form.submit({ delay: undoSeconds * 1_000 }) : form.next();
    if (!isTaken) focusFirstError(pane.current);
  };
  /** Enter leaves no question unanswered, since people press it twice; the button and `next` may. */
  const confirm = async () => {
    if (!isOpen) return;
    if (isLast || form.check()) await goOn();
    else focusFirstError(pane.current);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void (isClicked.current ? goOn() : confirm());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (keyOf(event) === "ctrl+enter" && isTyping(event)) {
      event.preventDefault();
      void confirm();
    } else if (event.key === "Escape" && isTyping(event)) {
      // The first Escape leaves the text, the second the question; neither loses anything.
      event.stopPropagation();
      event.nativeEvent.stopPropagation();
      focusStart(pane.current, false);
    }
  };
  useFormKeys({ form, state, pane, confirm, decline: () => setCancelling(true) });

  const shown = state.layout === "page" ? questions : questions.slice(state.step, state.step + 1);
  // To a single question a note says the same.
  const showsComment = state.comment !== "" || (questions.length > 1 && isLast);
  return (
    <>
      <form
        ref={pane}
        className="session"
        onSubmit={onSubmit}
        onKeyDown={onKeyDown}
        onClickCapture={(event) => {
          // Enter in a field presses the button too, without a pointer.
          isClicked.current = event.detail > 0;
        }}
        noValidate
        aria-labelledby="session-title"
      >
        <SessionHead form={form} state={state} />
        {state.session.status !== "pending" && (
          <Outcome
            session={state.session}
            here={state.settledHere}
            unsent={state.phase === "settled" && !state.settledHere && state.progress.answered > 0}
          />
        )}
        {state.phase !== "settled" && (
          <fieldset className="fields" disabled={state.phase !== "editing"}>
            {state.mode === "reply" && <ReplyHint />}
            <EarlierAnswer form={form} session={state.session} />
            {shown.map((question) => (
              <QuestionCard key={question.id} question={question} number={questions.indexOf(question) + 1} form={form} state={state} />
            ))}
            {state.layout === "steps" && state.steps > 1 && state.step === state.steps - 1 && <Review form={form} state={state} />}
            {showsComment && <Comment form={form} state={state} />}
          </fieldset>
        )}
        <Thread session={state.session} />
        <ActionBar form={form} state={state} onCancel={() => setCancelling(true)} />
      </form>
      {cancelling && isOpen && (
        <CancelDialog
          onClose={() => setCancelling(false)}
          onCancel={(reason) => {
            setCancelling(false);
            void form.cancel(reason);
          }}
        />
      )}
    </>
  );
}

function ReplyHint() {
  const t = useTranslate();
  return <p className="notice">{t("outcome.timedOut.text")}</p>;
}

function Comment({ form, state }: { form: AnswerForm; state: FormState }) {
  const t = useTranslate();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices where the focus is.
    <div className="comment" data-extra="comment" onFocus={() => form.focus("comment")} onBlur={() => form.focus(undefined)}>
      <Extra add={t("comment.add")} label={t("comment.label")} text={state.comment} onChange={(comment) => form.setComment(comment)} />
    </div>
  );
}

/** What the person said to the same questions before, to be repeated by their own hand. */
function EarlierAnswer({ form, session }: { form: AnswerForm; session: SessionView }) {
  const t = useTranslate();
  const now = useNow(10_000);
  const { earlierAnswer } = session;
  if (earlierAnswer === undefined) return null;
  return (
    <section className="notice">
      <p>{t("session.earlier", { time: sayAgo(t, earlierAnswer.at, now) })}</p>
      <Answers session={session} answers={earlierAnswer.answers} comment={earlierAnswer.comment} />
      <button type="button" className="button small" onClick={() => form.applyEarlierAnswer()}>
        {t("session.earlier.use")}
      </button>
    </section>
  );
}
