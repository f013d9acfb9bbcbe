import type { AnswerForm, FormPhase, FormState } from "@askbox/inbox";
import { optionOfDigit } from "@askbox/inbox/commands";
import { useAskbox } from "@askbox/react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { isPassing } from "../router/router.tsx";
import { focusPlaceOn, placeOf } from "../ui/focus-place.ts";
import { isNowhere, isTouch } from "../ui/keyboard.ts";
import { startsAtOn } from "./next-session.ts";
import { lastPickOn } from "./send-on-pick.ts";

type Pane = { current: HTMLElement | null };

/** Focuses what the user needs: the field of a question with a typed answer, if there are keys, otherwise its text or the session's title. */
export function focusStart(pane: HTMLElement | null, inText = !isTouch()): void {
  const find = (selector: string) => pane?.querySelector<HTMLElement>(selector);
  const field = inText ? find(".question:first-of-type :is(textarea, .line)[data-first]:enabled") : undefined;
  (field ?? find(".question-text, #review-title") ?? find("#session-title"))?.focus({ preventScroll: true });
  if (field) showWithQuestion(field);
}

/** Scrolls to a field, keeping the start of its question in view, clear of the action bar. */
function showWithQuestion(field: HTMLElement): void {
  const [question, pane] = [field.closest(".question"), field.closest(".detail")];
  if (question === null || pane === null) return;
  const height = field.getBoundingClientRect().bottom - question.getBoundingClientRect().top;
  const covered = Number.parseFloat(getComputedStyle(pane).scrollPaddingBottom) || 0;
  if (height <= pane.clientHeight - covered) field.scrollIntoView({ block: "nearest" });
}

export function focusFirstError(pane: HTMLElement | null): void {
  // The errors are new.
  flushSync(() => {});
  const question = pane?.querySelector("[data-invalid]");
  const field = question?.querySelector<HTMLElement>("[data-first], textarea") ?? question?.querySelector<HTMLElement>("[tabindex]");
  field?.focus();
  question?.scrollIntoView({ block: "center" });
}

/** A new step starts at its top. */
export function useFocusOnStep(pane: Pane, { step, layout }: FormState): void {
  const known = useRef(step);
  const lastPick = lastPickOn(useAskbox());
  useEffect(() => {
    if (known.current === step || layout === "page") return;
    known.current = step;
    lastPick.moved();
    pane.current?.closest(".detail")?.scrollTo({ top: 0 });
    focusStart(pane.current);
  }, [step, layout, pane, lastPick]);
}

/** A set that was opened by a press on one of its questions starts at that one. */
export function useStart(pane: Pane, form: AnswerForm): void {
  const startsAt = startsAtOn(useAskbox());
  useLayoutEffect(() => {
    const { session, layout } = form.getState();
    const pressed = startsAt.take(session.id);
    const index = session.questions.findIndex(({ id }) => id === pressed);
    if (index <= 0) return;
    if (layout === "steps") return form.goTo(index);
    const text = pane.current?.querySelectorAll<HTMLElement>(".question-text")[index];
    text?.focus({ preventScroll: true });
    text?.closest(".question")?.scrollIntoView({ block: "start" });
  }, [startsAt, pane, form]);
}

/**
 * Keeps the focus in the pane: on the question when it is opened or an answer is undone, and on the title while the fields are disabled, so
 * that shortcuts still work. A focus elsewhere on the page is left alone.
 */
export function useFocusKept(pane: Pane, phase: FormPhase): void {
  const isFirst = useRef(true);
  const focusPlace = focusPlaceOn(useAskbox());
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isHere = isFirst.current || isNowhere(activeElement) || pane.current?.contains(activeElement) === true;
    // The key that leads on to the next question would be typed into this one.
    const takesText = !isTouch() && !(isFirst.current && isPassing());
    isFirst.current = false;
    if (!isHere) return;
    if (phase !== "editing") document.getElementById("session-title")?.focus({ preventScroll: true });
    else if (document.querySelector(".question:first-of-type :is(textarea, .line)[data-first]") !== null)
      focusStart(pane.current, takesText);
    else document.getElementById("session-title")?.focus({ preventScroll: true });
    focusPlace.note();
  }, [phase, pane, focusPlace]);
}

/**
 * Arrow keys lead into the options of a question, without picking one, and along those of which several can be picked; a radio moves by
 * itself, and a rank moves its option, which a digit leads to first. Returns whether the focus has moved: above options that are out of sight,
 * arrows scroll.
 */
export function focusOption(card: Element | null | undefined, key: string): boolean {
  if (card == null) return false;
  const options = [...card.querySelectorAll<HTMLElement>(".option > label > input, .handle")];
  const at = options.indexOf(document.activeElement as HTMLElement);
  const place = placeOf(document.activeElement);
  const ranked = at === -1 && (place === "page" || place === "control") ? options[optionOfDigit(key, options.length) ?? -1] : undefined;
  if (ranked?.matches(".handle")) {
    ranked.focus();
    return true;
  }
  const step = key === "arrowdown" ? 1 : key === "arrowup" ? -1 : 0;
  if (step === 0) return false;
  if (at === -1 && place !== "page") return false;
  if (at !== -1 && options[at]?.matches("[type=checkbox]") !== true) return false;
  const target = at === -1 ? (options.find((option) => option.matches(":checked")) ?? options[0]) : options[at + step];
  if (target === undefined || (at === -1 && !isInSight(target))) return false;
  target.focus();
  return true;
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}
