import type { Question } from "@askbox/core";
import type { AnswerForm, FormState } from "@askbox/inbox";
import { useAskbox, useInbox, useNow } from "@askbox/react";
import { flushSync } from "react-dom";
import { useDeclines, useUndoable } from "../inbox/use-declines.ts";
import { navigate, sessionPath } from "../router/router.tsx";
import { useSettings } from "../stored-settings.ts";
import { isControl, useKeys } from "../ui/keyboard.ts";
import { shiftedDigit } from "../widgets/widget.ts";
import { focusOption, focusStart } from "./focus.ts";
import { activeQuestion, type FormAction, formAction } from "./form-action.ts";
import { nextSession, openedNextOn } from "./next-session.ts";
import { lastPickOn } from "./send-on-pick.ts";
import { declined, snoozed } from "./sent.ts";
import { undoSent } from "./toasts.tsx";

interface FormKeysOptions {
  form: AnswerForm;
  state: FormState;
  pane: { current: HTMLElement | null };
  /** Enter: continues from an answered question, and sends at the end. */
  confirm(): Promise<void>;
  /** An option was picked with the keyboard. */
  picked(question: Question, key: string): void;
  decline(): void;
  /** Whether a key may decide about this question's action; tells the person if not. */
  mayDecide(question: Question, decision: "allow" | "deny"): boolean;
  /** Tells which keys decide about this question's action. */
  tellKeys(question: Question): void;
}

/** The keys of an open session. */
export function useFormKeys(options: FormKeysOptions): void {
  const { form, state } = options;
  const next = useNextSession(state.session.id);
  const before = useUndoable().findLast((done) => done !== state.session.id && done !== snoozed);
  const page = useAskbox();
  const [openedNext, lastPick] = [openedNextOn(page), lastPickOn(page)];
  const declines = useDeclines();
  /** The latest, as the toast says; if it is one question, that opens again. */
  const undoBefore = () => {
    if (before !== declined) return void (before !== undefined && undoSent(page, before));
    const [only = "", ...more] = declines.waiting;
    declines.undo();
    if (more.length === 0) navigate(sessionPath(only));
  };
  useKeys(({ key, is, event }) => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"];
    if (state.phase === "editing" && focusOption(cardOf(options, activeQuestion(state, focused)), key)) return true;
    const action = formAction(state, {
      key,
      is,
      repeats: event.repeat ? "held" : (openedNext.isJustNow(state.session.id) || lastPick.isSamePress(key)) && "soon",
      onControl: isControl(document.activeElement),
      shifted: shiftedDigit(event),
      focused,
      hasBefore: before !== undefined,
    });
    if (action === undefined) return false;
    if (action.does === "leave") navigate("/");
    else if (action.does === "open next") navigate(next === undefined ? "/" : sessionPath(next));
    else if (action.does === "undo") void form.recall();
    else if (action.does === "undo before") undoBefore();
    else act(options, action, key, lastPick);
    return true;
  });
}

/** The session after this one. */
export function useNextSession(openId: string): string | undefined {
  const { sort } = useSettings();
  return nextSession(useInbox(), { sort, now: useNow(10_000), except: openId });
}

const cardOf = ({ pane }: Pick<FormKeysOptions, "pane">, question: Question | undefined): Element | null | undefined =>
  question && pane.current?.querySelector(`[data-question="${CSS.escape(question.id)}"]`);

function act(
  { form, state, pane, ...on }: FormKeysOptions,
  action: FormAction,
  key: string,
  lastPick: ReturnType<typeof lastPickOn>,
): void {
  const card = "question" in action ? cardOf({ pane }, action.question) : undefined;
  if (action.does === "decline") on.decline();
  else if (action.does === "go to") form.goTo(action.step);
  else if (action.does === "earlier") form.applyEarlierAnswer();
  else if (action.does === "comment") openComment(form, state, pane.current);
  else if (action.does === "ask back") openExtra(pane.current?.querySelector("[data-extra=ask-back]"));
  else if (action.does === "more time") document.querySelector<HTMLElement>(".more-time button")?.focus();
  else if (action.does === "confirm") void on.confirm();
  else if (action.does === "note") openExtra(card?.querySelector("[data-extra=note]"));
  else if (action.does === "attach")
    (
      card?.querySelector<HTMLElement>("[data-testid=pick-files]") ??
      pane.current?.querySelector<HTMLElement>("[data-testid=pick-comment-files]")
    )?.click();
  else if (action.does === "read") togglePreviews(card);
  else if (action.does === "decide" && on.mayDecide(action.question, action.decision)) {
    form.choose(action.question.id, action.decision);
    lastPick.note(key);
    void on.confirm();
  } else if (action.does === "always" && on.mayDecide(action.question, "allow"))
    pane.current?.querySelector<HTMLElement>(".approval-always")?.click();
  else if (action.does === "tell keys") on.tellKeys(action.question);
  else if (action.does === "edit" && action.edit.kind === "skip" && action.edit.skipped) form.skip(action.question.id);
  else if (action.does === "edit") {
    form.edit(action.question.id, action.edit);
    // Enter would go on in the document.
    if (document.activeElement?.matches("[data-takes]") === true) focusStart(pane.current, false);
    if (action.index !== undefined) card?.querySelectorAll(".option")[action.index]?.scrollIntoView({ block: "nearest" });
    if (action.picks === true) on.picked(action.question, key);
  }
}

/** The comment belongs to the last step. */
function openComment(form: AnswerForm, { layout, steps }: FormState, pane: HTMLElement | null): void {
  flushSync(() => {
    if (layout === "steps") form.goTo(steps - 1);
  });
  openExtra(pane?.querySelector("[data-extra=comment]"));
}

/** Opens an optional text field and focuses it. */
function openExtra(extra: Element | null | undefined): void {
  const field = extra?.querySelector<HTMLElement>("textarea");
  if (field) field.focus();
  else extra?.querySelector<HTMLElement>("button")?.click();
}

/**
 * Goes to the document. Opens all previews of a question, or closes them if all are open. If they are next to the options, shows the next
 * one. Without any of these, opens the first picture.
 */
function togglePreviews(card: Element | null | undefined): void {
  card?.querySelector<HTMLElement>("[data-takes]")?.focus();
  card?.querySelector<HTMLElement>("[data-next-preview]")?.click();
  const buttons = [...(card?.querySelectorAll<HTMLElement>(".option-preview > button") ?? [])];
  const closed = buttons.filter((button) => button.getAttribute("aria-expanded") !== "true");
  for (const button of closed.length > 0 ? closed : buttons) button.click();
  if (card?.querySelector(".diff[data-takes], .option-preview, .beside-preview") === null)
    card.querySelector<HTMLElement>(".picture > button")?.click();
}
