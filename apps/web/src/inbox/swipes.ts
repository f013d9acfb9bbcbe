import type { SessionView } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { type AnswerForm, emptyField, proposedValues } from "@askbox/inbox";
import { snoozeChoices } from "@askbox/inbox/list";
import { useAskbox, useInbox } from "@askbox/react";
import { type RefObject, useEffect, useEffectEvent } from "react";
import { sayDuration } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import { sayAnswer } from "../i18n/say-answer.ts";
import { minUndoSeconds } from "../session/send-on-pick.ts";
import { noteSent } from "../session/sent.ts";
import { useSettings } from "../stored-settings.ts";
import { snooze } from "./snooze.ts";
import "./swipes.css";

/** A shorter movement is a tap, in px. */
const slop = 10;
/** From here on, letting go acts, in px. */
const reach = 96;

/**
 * What a swipe to the right answers: the recommendation of a single question, or Yes. An action is never allowed that way, and a draft is
 * not replaced.
 */
export function swipedAnswer(form: AnswerForm): string[] {
  const { session, fields, phase, mode } = form.getState();
  const [question, ...more] = session.questions;
  if (question === undefined || more.length > 0 || phase !== "editing" || mode === "reply") return [];
  const { picks, typed, widget } = traitsOf(question);
  const { values, otherText, note } = fields[question.id] ?? emptyField;
  if (picks === "decision" || typed !== undefined || values.length > 0 || otherText !== "" || note !== "") return [];
  const yes = widget === "yes-no" ? offeredOptions(question).filter(({ shortcut }) => shortcut === "yes") : [];
  const proposed = proposedValues(question);
  return proposed.length > 0 ? proposed : yes.map(({ value }) => value);
}

/** How long a swipe snoozes, in ms, if the deadline allows. */
const snoozeLength = 900_000;

/** Until when a swipe to the left snoozes: 15 minutes, or the longest time that the deadline allows; undefined if it allows none. */
function swipedSnooze(session: SessionView | undefined, now: number): number | undefined {
  const untils = session === undefined ? [] : snoozeChoices([session], now).map(({ until }) => until);
  return untils.filter((until) => until <= now + snoozeLength).at(-1) ?? untils[0];
}

/** Swipes on the rows of the list: to the right answers, with undo, and to the left snoozes, with undo. */
export function Swipes({ list }: { list: RefObject<HTMLElement | null> }): null {
  const t = useTranslate();
  const page = useAskbox();
  const { forms, clock } = page;
  const { pending } = useInbox();
  const { undoSeconds } = useSettings();

  /** What letting go would do, in words; empty if nothing. */
  const words = useEffectEvent((id: string, isRight: boolean): string => {
    const session = pending.get(id);
    if (!isRight) {
      const until = swipedSnooze(session, clock.now());
      return until === undefined ? "" : t("swipe.snooze", { time: sayDuration(t, until - clock.now()) });
    }
    const [question] = session?.questions ?? [];
    const values = session === undefined ? [] : swipedAnswer(forms.of(session));
    if (question === undefined || values.length === 0) return "";
    return t("swipe.answer", { answer: isolated(sayAnswer(t, question, { questionId: question.id, values })) });
  });
  const act = useEffectEvent(async (id: string, isRight: boolean) => {
    const session = pending.get(id);
    const until = isRight ? undefined : swipedSnooze(session, clock.now());
    if (until !== undefined) return snooze(page, [id], until);
    if (session === undefined || !isRight) return;
    const form = forms.of(session);
    const [question] = session.questions;
    const values = swipedAnswer(form);
    if (question === undefined || values.length === 0) return;
    for (const value of values) form.choose(question.id, value);
    if (await form.submit({ delay: Math.max(undoSeconds, minUndoSeconds) * 1_000 })) noteSent(page, id);
  });

  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    let start: { x: number; y: number; row: HTMLElement; id: string } | undefined;
    let by = 0;
    const move = (row: HTMLElement, px: number) => {
      by = px;
      row.style.setProperty("--swipe", `${px}px`);
    };
    const rest = () => {
      if (start === undefined) return;
      start.row.style.removeProperty("--swipe");
      delete start.row.dataset["swipe"];
      start = undefined;
    };
    const onDown = ({ target, pointerType, clientX, clientY, isPrimary }: PointerEvent) => {
      rest();
      const row = (target as Element).closest<HTMLElement>("li:has(> [data-session])");
      const id = row?.querySelector<HTMLElement>("[data-session]")?.dataset["session"];
      by = 0;
      if (pointerType === "touch" && isPrimary && row != null && id !== undefined) start = { x: clientX, y: clientY, row, id };
    };
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      if (start === undefined) return;
      const [dx, dy] = [clientX - start.x, clientY - start.y];
      if (by === 0 && Math.abs(dx) < Math.max(slop, 2 * Math.abs(dy))) return;
      const said = words(start.id, dx > 0);
      // Without anything to do, the row gives way only a little.
      move(start.row, said === "" ? dx / 8 : dx);
      start.row.dataset["swipe"] = said;
      start.row.toggleAttribute("data-left", dx < 0);
      start.row.toggleAttribute("data-reached", said !== "" && Math.abs(dx) >= reach);
    };
    const onUp = () => {
      if (start === undefined) return;
      const { id, row } = start;
      const isRight = by > 0;
      const isReached = row.hasAttribute("data-reached");
      row.removeAttribute("data-reached");
      rest();
      if (isReached) void act(id, isRight);
    };
    // The end of a swipe is no tap.
    const onClick = (event: MouseEvent) => {
      if (by === 0) return;
      by = 0;
      event.preventDefault();
      event.stopPropagation();
    };
    const parts = { pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: rest };
    for (const [name, part] of Object.entries(parts)) current.addEventListener(name, part as EventListener);
    current.addEventListener("click", onClick, true);
    return () => {
      rest();
      for (const [name, part] of Object.entries(parts)) current.removeEventListener(name, part as EventListener);
      current.removeEventListener("click", onClick, true);
    };
  }, [list]);
  return null;
}
