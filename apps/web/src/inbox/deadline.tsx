/** A question's time in a row of the list. What an open question shows of it is in `session/time-left.tsx`. */
import type { SessionView } from "@askbox/core";
import { reminderLead } from "@askbox/core/questions";
import { clockDuration } from "@askbox/inbox";
import { useTimed } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";

/** With less time left than this (ms), a row shows it to the second. */
const exact = 60_000;

/** Whether it is time to answer: the last fifth of a question's time. Nothing is loud before. */
export const useIsClose = (session: SessionView): boolean =>
  useTimed((now) => session.deadlineAt !== null && session.deadlineAt - now <= reminderLead(session));

/** The remaining time, a number alone, and only exact in the last minute, so that few rows change per second. */
export function RowTime({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { deadlineAt } = session;
  const text = useTimed((now) => (deadlineAt === null ? "" : sayRemaining(t, Math.max(0, deadlineAt - now), exact)));
  const isClose = useIsClose(session);
  return (
    <span className="time-left" data-close={isClose || undefined}>
      {text}
    </span>
  );
}

export const sayRemaining = (t: Translate, remaining: number, exactBelow: number): string =>
  remaining < exactBelow ? clockDuration(remaining) : sayDuration(t, remaining);
