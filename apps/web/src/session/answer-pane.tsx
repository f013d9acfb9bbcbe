import type { Question, SessionView } from "@askbox/core";
import { type AnswerForm, type FormState, useAnswerForm, useNow } from "@askbox/react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo } from "../i18n/phrases.ts";
import { navigate } from "../router/router.tsx";
import { useSettings } from "../settings/settings.ts";
import { isComposing, isTyping } from "../ui/keyboard.ts";
import { useKeys } from "../ui/use-key.ts";
import { chooseByDigit } from "../widgets/digits.ts";
import { ActionBar } from "./action-bar.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
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
  const { questions } = state.session;
  const isOpen = state.phase === "editing";
  const isLast = state.layout === "page" || state.step === state.steps - 1;
  useFocusOnStep(pane, state);
  // Whoever opened the question begins at its title, wherever the list was.
  useEffect(() => {
    document.getElementById("session-title")?.focus({ preventScroll: true });
  }, []);

  const goOn = async () => {
    const isTaken = isLast ? await form.submit({ delay: undoSeconds * 1_000 }) : form.next();
    if (!isTaken) focusFirstError(pane.current);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void goOn();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void goOn();
    } else if (event.key === "Escape" && isTyping(event) && event.target instanceof HTMLElement) {
      // The first Escape leaves the text, the second the question; neither loses anything.
      event.stopPropagation();
      event.target.blur();
    }
  };
  useKeys((key) => {
    if (key === "Escape") {
      navigate("/");
      return true;
    }
    if (!isOpen) return false;
    const question = activeQuestion(state);
    if (key === "x" && state.mode === "answer") setCancelling(true);
    else if (key === "p" && state.layout === "steps") form.back();
    else if (key === "r" && question !== undefined) form.pickRecommended(question.id);
    else if (key === "Enter" && !isControl(document.activeElement)) void goOn();
    else return question !== undefined && chooseByDigit(form, question, key);
    return true;
  });

  const shown = state.layout === "page" ? questions : questions.slice(state.step, state.step + 1);
  // To a single question a note says the same.
  const showsComment = state.comment !== "" || (questions.length > 1 && isLast);
  return (
    <>
      <form ref={pane} className="session" onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate aria-labelledby="session-title">
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
    <div className="comment" onFocus={() => form.focus("comment")} onBlur={() => form.focus(undefined)}>
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

/** Whether Enter means something to the element by itself. */
function isControl(element: Element | null): boolean {
  return element?.matches("a, button, input, select, summary, textarea") === true;
}

/** The question that a key is meant for: the one on the page, or of several the one with the focus, else the first without an answer. */
function activeQuestion({ session, layout, step, fields }: FormState): Question | undefined {
  if (layout === "steps") return session.questions[step];
  const focused = document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"];
  const isBlank = ({ id }: Question) => fields[id]?.values.length === 0 && !fields[id].other && !fields[id].skipped;
  return session.questions.find(({ id }) => id === focused) ?? session.questions.find(isBlank);
}

function focusFirstError(pane: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const question = pane?.querySelector("[data-invalid]");
    const field = question?.querySelector<HTMLElement>("[data-first], textarea") ?? question?.querySelector<HTMLElement>("[tabindex]");
    field?.focus();
    question?.scrollIntoView({ block: "center" });
  });
}

/** A new step begins at its top, with the focus where the hands are needed. */
function useFocusOnStep(pane: { current: HTMLElement | null }, { step, layout }: FormState): void {
  const known = useRef(step);
  useEffect(() => {
    if (known.current === step || layout === "page") return;
    known.current = step;
    const find = (selector: string) => pane.current?.querySelector<HTMLElement>(selector);
    const start = find("textarea[data-first], .line[data-first]") ?? find(".question-text, #review-title");
    start?.focus({ preventScroll: true });
    pane.current?.closest(".detail")?.scrollTo({ top: 0 });
  }, [step, layout, pane]);
}
