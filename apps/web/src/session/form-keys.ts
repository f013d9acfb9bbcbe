import type { Question } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { type AnswerForm, type FormState, sortSessions, useInbox } from "@askbox/react";
import { navigate, sessionPath } from "../router/router.tsx";
import { useSettings } from "../settings/settings.ts";
import { isControl } from "../ui/keyboard.ts";
import { keymap, type Press, useKeys } from "../ui/use-key.ts";
import { chooseByDigit } from "../widgets/digits.ts";

interface FormKeysOptions {
  form: AnswerForm;
  state: FormState;
  pane: { current: HTMLElement | null };
  /** Enter: goes on from an answered question, and at the end sends. */
  confirm(): Promise<void>;
  decline(): void;
}

/** The keys of an open session. */
export function useFormKeys(options: FormKeysOptions): void {
  const next = useNextSession();
  useKeys((press) => {
    const { form, state } = options;
    const { is } = press;
    if (is("back")) navigate("/");
    else if (is("undo") && state.phase === "scheduled") void form.recall();
    else if (is("confirm") && (state.phase === "scheduled" || state.phase === "settled")) {
      if (isControl(document.activeElement) && press.key === "enter") return false;
      navigate(next === undefined ? "/" : sessionPath(next));
    } else if (state.phase !== "editing") return false;
    else return sessionKey(options, press) || questionKey(options, press);
    return true;
  });
}

/** The session that is first in the list now, without those whose answer is on its way. */
export function useNextSession(): string | undefined {
  const { pending, drafts } = useInbox();
  const { sort } = useSettings();
  return sortSessions(pending.values(), sort).find(({ id }) => drafts.get(id)?.scheduled === undefined)?.id;
}

/** Keys that are about the whole set of questions. */
function sessionKey({ form, state, pane, confirm, decline }: FormKeysOptions, { is, key }: Press): boolean {
  const bySteps = state.layout === "steps";
  if (is("cancel") && state.mode === "answer") decline();
  else if (is("next") && bySteps) form.goTo(state.step + 1);
  else if (is("previous") && bySteps) form.back();
  else if (is("earlier") && state.session.earlierAnswer !== undefined) form.applyEarlierAnswer();
  else if (is("comment")) openComment(form, state, pane.current);
  else if (is("moreTime")) pane.current?.querySelector<HTMLElement>(".more-time button")?.focus();
  else if (is("confirm") && !(key === "enter" && isControl(document.activeElement))) void confirm();
  else return false;
  return true;
}

/** Keys that are about the question that has the focus. */
function questionKey({ form, state, pane, confirm }: FormKeysOptions, { is, key }: Press): boolean {
  const question = activeQuestion(state);
  if (question === undefined) return false;
  const card = pane.current?.querySelector(`[data-question="${CSS.escape(question.id)}"]`);
  const values = offeredOptions(question).map(({ value }) => value);
  const yesOrNo = values.join() === "yes,no" ? keymap.find(key, ["yes", "no"] as const) : undefined;
  const decided = traitsOf(question).picks === "decision" ? (is("allow") ? "allow" : is("no") ? "deny" : undefined) : undefined;
  if (decided !== undefined) {
    form.choose(question.id, decided);
    void confirm();
  } else if (yesOrNo !== undefined) form.choose(question.id, yesOrNo);
  else if (is("recommended")) form.pickRecommended(question.id);
  else if (is("skip") && !question.required) form.setSkipped(question.id, state.fields[question.id]?.skipped !== true);
  else if (is("note")) openExtra(card?.querySelector("[data-extra=note]"));
  else if (is("other")) form.setOther(question.id, true);
  else if (is("read")) togglePreviews(card);
  else {
    const picked = chooseByDigit(form, question, key);
    if (picked === undefined) return false;
    card?.querySelectorAll(".option")[picked]?.scrollIntoView({ block: "nearest" });
  }
  return true;
}

/** The question that a key is meant for: the one on the page, or of several the one with the focus, else the first without an answer. */
function activeQuestion({ session, layout, step, fields }: FormState): Question | undefined {
  if (layout === "steps") return session.questions[step];
  const focused = document.activeElement?.closest<HTMLElement>("[data-question]")?.dataset["question"];
  const isBlank = ({ id }: Question) => fields[id]?.values.length === 0 && !fields[id].other && !fields[id].skipped;
  return session.questions.find(({ id }) => id === focused) ?? session.questions.find(isBlank);
}

/** The comment to the whole stands with the last step. */
function openComment(form: AnswerForm, { layout, steps }: FormState, pane: HTMLElement | null): void {
  if (layout === "steps") form.goTo(steps - 1);
  requestAnimationFrame(() => openExtra(pane?.querySelector("[data-extra=comment]")));
}

/** A text that few need: its button opens it with the focus in it. */
function openExtra(extra: Element | null | undefined): void {
  const field = extra?.querySelector<HTMLElement>("textarea");
  if (field) field.focus();
  else extra?.querySelector<HTMLElement>("button")?.click();
}

/** Opens all previews of a question; closes them if all are open. */
function togglePreviews(card: Element | null | undefined): void {
  const buttons = [...(card?.querySelectorAll<HTMLElement>(".option-preview > button") ?? [])];
  const closed = buttons.filter((button) => button.getAttribute("aria-expanded") !== "true");
  for (const button of closed.length > 0 ? closed : buttons) button.click();
}
