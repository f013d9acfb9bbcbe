import type { Question, SessionView } from "@askbox/core";
import { changedInput } from "@askbox/core/questions";
import { type AnswerForm, emptyField, type FormState, takesFiles, type Unread, unreadIn } from "@askbox/inbox";
import { allowsCommented, unsentIn } from "@askbox/inbox/list";
import { useAnswerForm, useAskbox, useNow } from "@askbox/react";
import { type FormEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo } from "../i18n/phrases.ts";
import { useDeclines } from "../inbox/use-declines.ts";
import { navigate, sessionPath } from "../router/router.tsx";
import { useSettings } from "../stored-settings.ts";
import { AskButton, canAskBack, Thread } from "../thread/thread.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { isComposing, isTyping, keyOf } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import { DecidedBelow } from "../widgets/approval-widget.tsx";
import { LookContext, useLook } from "../widgets/use-look.ts";
import { ActionBar } from "./action-bar.tsx";
import { Background } from "./background.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { focusFirstError, focusStart, useFocusKept, useFocusOnStep, useStart } from "./focus.ts";
import { useFormKeys } from "./form-keys.ts";
import { useLastInput } from "./last-input.ts";
import { finishedOn, nextSession, openedNextOn } from "./next-session.ts";
import { Answers, Outcome } from "./outcome.tsx";
import { Extra, QuestionCard } from "./question-card.tsx";
import { Review } from "./review.tsx";
import { isAnsweredByPick, lastPickOn, minUndoSeconds } from "./send-on-pick.ts";
import { noteSent } from "./sent.ts";
import { SessionHead } from "./session-head.tsx";
import { hasSteps, Steps } from "./steps.tsx";
import { Unsent } from "./unsent.tsx";

const OutlookNote = later(async () => (await import("./outlook-note.tsx")).OutlookNote);
const CommentFiles = later(async () => (await import("../attach/attachments.tsx")).CommentFiles);

/** How long the reason is shown why a decision was not taken, in ms. */
const refusalTime = 5_000;

function useRefusal() {
  const { clock } = useAskbox();
  const state = useState<
    `approval.${"early" | "below" | "letter" | "input" | "comments" | "keys"}` | "plan.keys" | "denial.keys" | "document.verdict.missing"
  >();
  const [refusal, setRefusal] = state;
  useEffect(() => {
    if (refusal === undefined) return;
    return clock.setTimer(refusalTime, () => setRefusal(undefined));
  }, [refusal, setRefusal, clock]);
  return state;
}

/** A document that is reviewed, and not skipped. */
const reviewIn = (question: Question | undefined, { fields }: FormState) =>
  question !== undefined && "document" in question && fields[question.id]?.skipped !== true ? question : undefined;

/** A session with its form. */
export function AnswerPane({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { layout, undoSeconds, sendOnPick, opensNext, sort } = useSettings();
  const page = useAskbox();
  const { inbox, clock } = page;
  const [openedNext, lastPick] = [openedNextOn(page), lastPickOn(page)];
  const declines = useDeclines();
  const { form, state } = useAnswerForm(session, { layout });
  const [cancelling, setCancelling] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const pane = useRef<HTMLFormElement>(null);
  const { isClicked, isMoving, capture } = useLastInput();
  const looked = useLook(pane, form);
  const [refusal, setRefusal] = useRefusal();
  const { questions } = state.session;
  const [only] = questions;
  const decided = only !== undefined && "action" in only && questions.length === 1 ? only : undefined;
  const changed = decided && changedInput(decided, state.fields[decided.id] ?? emptyField);
  const shown = state.layout === "page" ? questions : questions.slice(state.step, state.step + 1);
  const reviewed = shown.length === 1 ? reviewIn(shown[0], state) : undefined;
  const isOpen = state.phase === "editing";
  const isLast = state.layout === "page" || state.step === state.steps - 1;
  useFocusOnStep(pane, state);
  useFocusKept(pane, state.phase);
  useStart(pane, form);
  useLayoutEffect(() => openedNext.shown(session.id), [openedNext, session.id]);

  /** Goes to the next question, if there is one: the answer being held can be undone from there. */
  const openNext = () => {
    const next = nextSession(inbox.getState(), { sort, now: clock.now(), except: session.id });
    if (!opensNext || next === undefined) return;
    openedNext.note(next);
    navigate(sessionPath(next));
  };
  /** Tells why an action can't be allowed yet. Returns whether it can. */
  const isRead = (why: Unread | undefined): boolean => {
    setRefusal(why && `approval.${why}`);
    return why === undefined;
  };
  const tellKeys = (question: Question) => setRefusal(keysFor(question));
  const proceed = async (delay = undoSeconds) => {
    // Waiting or reading on would not change that comments keep it.
    if (isLast && allowsCommented(form.getState())) return setRefusal("approval.comments");
    if (isLast && !isRead(unreadIn(form.getState(), looked()))) return;
    if (decided && changed === undefined && form.getState().fields[decided.id]?.values[0] === "allow") return setRefusal("approval.input");
    const isTaken = isLast ? await form.submit({ delay: delay * 1_000 }) : form.next();
    if (!isTaken) focusFirstError(pane.current);
    else if (isLast) {
      noteSent(page, session.id);
      openNext();
    }
  };
  /** Enter doesn't skip a question, since people press it twice; the button and `next` do. */
  const confirm = async () => {
    if (!isOpen || openedNext.isJustNow(session.id) || finishedOn(page).isJustNow()) return;
    // The document may be longer than the window, and its error below it.
    if (reviewed?.required === true && form.getState().fields[reviewed.id]?.values.length === 0)
      return setRefusal("document.verdict.missing");
    if (decided !== undefined && form.getState().fields[decided.id]?.values.length === 0) return tellKeys(decided);
    if (isLast || form.check()) await proceed();
    else focusFirstError(pane.current);
  };
  /** Continues after a pick, if this is enabled in the settings. */
  const picked = (question: Question, how: string) => {
    if (!sendOnPick || !isAnsweredByPick(question, form.getState())) return;
    lastPick.note(how);
    void proceed(Math.max(undoSeconds, minUndoSeconds));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void (isClicked.current ? proceed() : confirm());
  };
  const onChange = ({ target }: FormEvent) => {
    const id = (target as HTMLElement).closest<HTMLElement>("[data-question]")?.dataset["question"];
    const question = questions.find((each) => each.id === id);
    if (question !== undefined && (target as HTMLInputElement).type === "radio" && !isMoving.current) picked(question, "pointer");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (keyOf(event) === "ctrl+enter" && isTyping(event)) {
      event.preventDefault();
      void confirm();
    } else if (event.key === "Escape" && (isTyping(event) || (event.target as Element).closest("[data-takes]") !== null)) {
      // The first Escape leaves the text field or the document, the second the question; neither loses anything.
      event.stopPropagation();
      event.nativeEvent.stopPropagation();
      focusStart(pane.current, false);
    }
  };
  const mayDecide = ({ id }: Question, decision: "allow" | "deny"): boolean => {
    const look = looked();
    if (decision === "allow" && !isRead(look.unread(id))) return false;
    if (look.takesLetters(id)) return true;
    setRefusal("approval.letter");
    return false;
  };
  useFormKeys({ form, state, pane, confirm, picked, decline: () => setCancelling(true), mayDecide, tellKeys });

  const unsent = unsentIn(state);
  const decide = (value: string) => {
    if (decided === undefined || (value !== "deny" && !isRead(looked().unread(decided.id)))) return;
    form.choose(decided.id, value);
    void confirm();
  };

  const give = (value: string) => {
    if (reviewed === undefined) return;
    form.choose(reviewed.id, value);
    void confirm();
  };

  // Of several, it is about any of them.
  const asksInCard = shown.length === 1 && state.phase !== "settled" && canAskBack(state.session);
  // For a single question, a note serves the same purpose.
  const showsComment = state.comment !== "" || state.files !== undefined || (questions.length > 1 && isLast);
  return (
    <>
      <form
        ref={pane}
        className="session"
        data-sending={state.phase === "sending" || undefined}
        onSubmit={onSubmit}
        onChange={onChange}
        onKeyDown={onKeyDown}
        {...capture}
        noValidate
        aria-labelledby="session-title"
      >
        <SessionHead form={form} state={state} />
        {state.session.status !== "pending" && <Outcome session={state.session} here={state.settledHere} />}
        {unsent !== undefined && <Unsent session={state.session} draft={unsent} />}
        {state.phase !== "settled" && hasSteps(state) && <Steps form={form} state={state} />}
        {state.phase !== "settled" && (
          <fieldset className="fields" disabled={state.phase !== "editing"}>
            {state.mode === "reply" && <ReplyHint />}
            <EarlierAnswer form={form} session={state.session} />
            <DecidedBelow value={decided !== undefined || reviewed !== undefined}>
              <LookContext value={(id) => isRead(looked().unread(id))}>
                {shown.map((question) => (
                  <QuestionCard
                    key={question.id}
                    question={question}
                    number={questions.indexOf(question) + 1}
                    form={form}
                    state={state}
                    tools={asksInCard && !isAsking && <AskButton onAsk={() => setAsking(true)} />}
                  />
                ))}
              </LookContext>
            </DecidedBelow>
            {hasSteps(state) && isLast && <Review form={form} state={state} />}
            {showsComment && <Comment form={form} state={state} />}
          </fieldset>
        )}
        <Background session={state.session} />
        <Thread
          session={state.session}
          asks={{
            isOpen: isAsking,
            setOpen: setAsking,
            hasButton: !asksInCard,
            shown: questions.length > 1 && shown.length === 1 ? shown[0]?.id : undefined,
          }}
        />
        <OutlookNote session={state.session} />
        <ActionBar
          form={form}
          state={state}
          refusal={refusal && t(refusal)}
          onCancel={() => setCancelling(true)}
          decision={decided && { session: state.session, question: decided, changed, decide }}
          verdict={reviewed && { question: reviewed, field: state.fields[reviewed.id] ?? emptyField, give }}
        />
      </form>
      {cancelling && isOpen && (
        <CancelDialog
          sessions={[session]}
          onClose={() => setCancelling(false)}
          onCancel={(reason) => {
            setCancelling(false);
            declines.decline([session.id], reason);
            navigate("/");
            openNext();
          }}
        />
      )}
    </>
  );
}

/** Which keys decide on an action. */
function keysFor(question: Question) {
  if (!("action" in question)) return "approval.keys";
  return question.denial !== undefined ? "denial.keys" : question.action.kind === "plan" ? "plan.keys" : "approval.keys";
}

function ReplyHint() {
  const t = useTranslate();
  return <p className="notice">{t("outcome.timed_out.text")}</p>;
}

function Comment({ form, state }: { form: AnswerForm; state: FormState }) {
  const t = useTranslate();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices where the focus is.
    <div className="comment" data-extra="comment" onFocus={() => form.focus("comment")} onBlur={() => form.focus(undefined)}>
      <Extra
        add={t("comment.add")}
        action="comment"
        label={t("comment.label")}
        text={state.comment}
        onChange={(comment) => form.setComment(comment)}
      />
      {state.session.questions.some(takesFiles) && <CommentFiles form={form} state={state} />}
    </div>
  );
}

/** The earlier answer to the same questions, which the user can repeat. */
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
        <KeyHint action="earlier" />
      </button>
    </section>
  );
}
