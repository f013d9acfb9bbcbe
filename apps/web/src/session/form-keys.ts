import type { Question } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { type AnswerForm, type FormState, useAskbox, useInbox, useNow } from "@askbox/react";
import { navigate, sessionPath } from "../router/router.tsx";
import { useSettings } from "../settings/settings.ts";
import { isControl } from "../ui/keyboard.ts";
import { keymap, type Press, useKeys } from "../ui/use-key.ts";
import { chooseByDigit } from "../widgets/digits.ts";
import { nextSession } from "./next-session.ts";
import { isSamePress, notePick } from "./send-on-pick.ts";
import { undoLeftBehind, useLeftBehind } from "./sent-bar.tsx";

interface FormKeysOptions {
  form: AnswerForm;
  state: FormState;
  pane: { current: HTMLElement | null };
  /** Enter: continues from an answered question, and sends at the end. */
  confirm(): Promise<void>;
  /** An option was picked with the keyboard. */
  picked(question: Question, key: string, at: number): void;
  decline(): void;
  /** Whether a key may decide about this question's action; tells the person if not. */
  mayDecide(question: Question, decision: "allow" | "deny"): boolean;
}

/** The keys of an open session. */
export function useFormKeys(options: FormKeysOptions): void {
  const { id } = options.state.session;
  const next = useNextSession(id);
  const before = useLeftBehind(id);
  const { forms } = useAskbox();
  useKeys((press) => {
    const { form, state } = options;
    const { is, event } = press;
    if (is("back")) navigate("/");
    else if (isHeld(press) || isSamePress(press.key, event.timeStamp)) return true;
    else if (is("undo") && state.phase === "scheduled") void form.recall();
    else if (is("undo") && before !== undefined) void undoLeftBehind(forms.of(before));
    else if (is("confirm") && (state.phase === "scheduled" || state.phase === "settled")) {
      if (isControl(document.activeElement) && press.key === "enter") return false;
      navigate(next === undefined ? "/" : sessionPath(next));
    } else if (state.phase !== "editing") return false;
    else return sessionKey(options, press) || questionKey(options, press);
    return true;
  });
}

/** Whether a key that answers or continues is held down, so that its repeats would hit the next question. */
const isHeld = ({ event, key, is }: Press): boolean => event.repeat && ([...key].length === 1 || is("confirm"));

/** The session after this one. */
export function useNextSession(openId: string): string | undefined {
  const { sort } = useSettings();
  return nextSession(useInbox(), { sort, now: useNow(10_000), except: openId });
}

/** Keys for the whole session. */
function sessionKey({ form, state, pane, confirm, decline }: FormKeysOptions, { is, key }: Press): boolean {
  const bySteps = state.layout === "steps";
  if (is("cancel") && state.mode === "answer") decline();
  else if (is("next") && bySteps) form.goTo(state.step + 1);
  else if (is("previous") && bySteps) form.back();
  else if (is("earlier") && state.session.earlierAnswer !== undefined) form.applyEarlierAnswer();
  else if (is("comment")) openComment(form, state, pane.current);
  else if (is("askBack")) openExtra(pane.current?.querySelector("[data-extra=ask-back]"));
  else if (is("moreTime")) pane.current?.querySelector<HTMLElement>(".more-time button")?.focus();
  else if (is("confirm") && !(key === "enter" && isControl(document.activeElement))) void confirm();
  else return false;
  return true;
}

/** Keys for the focused question. */
function questionKey({ form, state, pane, confirm, picked, mayDecide }: FormKeysOptions, { is, key, event }: Press): boolean {
  const question = activeQuestion(state);
  if (question === undefined) return false;
  const card = pane.current?.querySelector(`[data-question="${CSS.escape(question.id)}"]`);
  const shortcut = keymap.find(key, ["yes", "no"] as const);
  const answer = offeredOptions(question).find((option) => option.shortcut !== undefined && option.shortcut === shortcut);
  const decided = traitsOf(question).picks === "decision" ? (is("allow") ? "allow" : is("no") ? "deny" : undefined) : undefined;
  if (decided !== undefined) {
    if (!mayDecide(question, decided)) return true;
    form.choose(question.id, decided);
    notePick(key, event.timeStamp);
    void confirm();
  } else if (answer !== undefined) {
    form.choose(question.id, answer.value);
    picked(question, key, event.timeStamp);
  } else if (is("recommended")) form.pickRecommended(question.id);
  else if (is("skip") && !question.required) form.setSkipped(question.id, state.fields[question.id]?.skipped !== true);
  else if (is("note")) openExtra(card?.querySelector("[data-extra=note]"));
  else if (is("other")) form.setOther(question.id, true);
  else if (is("read")) togglePreviews(card);
  else {
    const index = chooseByDigit(form, question, key);
    if (index === undefined) return false;
    card?.querySelectorAll(".option")[index]?.scrollIntoView({ block: "nearest" });
    picked(question, key, event.timeStamp);
  }
  return true;
}

/** The question that a key applies to: the one on the page; of several, the focused one, or else the first unanswered one. */
function activeQuestion({ session, layout, step, fields }: FormState): Question | undefined {
  if (layout === "steps") return session.questions[step];
  const focused = document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"];
  const isBlank = ({ id }: Question) => fields[id]?.values.length === 0 && !fields[id].other && !fields[id].skipped;
  return session.questions.find(({ id }) => id === focused) ?? session.questions.find(isBlank);
}

/** The comment belongs to the last step. */
function openComment(form: AnswerForm, { layout, steps }: FormState, pane: HTMLElement | null): void {
  if (layout === "steps") form.goTo(steps - 1);
  requestAnimationFrame(() => openExtra(pane?.querySelector("[data-extra=comment]")));
}

/** Opens an optional text field and focuses it. */
function openExtra(extra: Element | null | undefined): void {
  const field = extra?.querySelector<HTMLElement>("textarea");
  if (field) field.focus();
  else extra?.querySelector<HTMLElement>("button")?.click();
}

/** Opens all previews of a question, or closes them if all are open. If they are next to the options, shows the next one. */
function togglePreviews(card: Element | null | undefined): void {
  card?.querySelector<HTMLElement>("[data-next-preview]")?.click();
  const buttons = [...(card?.querySelectorAll<HTMLElement>(".option-preview > button") ?? [])];
  const closed = buttons.filter((button) => button.getAttribute("aria-expanded") !== "true");
  for (const button of closed.length > 0 ? closed : buttons) button.click();
}
