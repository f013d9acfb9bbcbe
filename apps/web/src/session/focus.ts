import type { FormPhase, FormState } from "@askbox/react";
import { useEffect, useLayoutEffect, useRef } from "react";

type Pane = { current: HTMLElement | null };

/** Focuses what the user needs: the field of a question with a typed answer, otherwise its text or the session's title. */
export function focusStart(pane: HTMLElement | null, inText = true): void {
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
  requestAnimationFrame(() => {
    const question = pane?.querySelector("[data-invalid]");
    const field = question?.querySelector<HTMLElement>("[data-first], textarea") ?? question?.querySelector<HTMLElement>("[tabindex]");
    field?.focus();
    question?.scrollIntoView({ block: "center" });
  });
}

/** A new step starts at its top. */
export function useFocusOnStep(pane: Pane, { step, layout }: FormState): void {
  const known = useRef(step);
  useEffect(() => {
    if (known.current === step || layout === "page") return;
    known.current = step;
    pane.current?.closest(".detail")?.scrollTo({ top: 0 });
    focusStart(pane.current);
  }, [step, layout, pane]);
}

/**
 * Keeps the focus in the pane: on the question when it is opened or an answer is undone, and on the title while the fields are disabled, so
 * that shortcuts still work. A focus elsewhere on the page is left alone.
 */
export function useFocusKept(pane: Pane, phase: FormPhase): void {
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isHere = isFirst.current || activeElement === document.body || pane.current?.contains(activeElement) === true;
    isFirst.current = false;
    if (!isHere) return;
    if (phase !== "editing") document.getElementById("session-title")?.focus({ preventScroll: true });
    else if (document.querySelector(".question:first-of-type :is(textarea, .line)[data-first]") !== null) focusStart(pane.current);
    else document.getElementById("session-title")?.focus({ preventScroll: true });
  }, [phase, pane]);
}
