import type { SessionView } from "@askbox/core";
import { reminderLead } from "@askbox/core/questions";
import { clockDuration } from "@askbox/inbox";
import { useCountdown, useTimed } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";

/** With less time left than this (ms), a row shows it to the second. */
const exact = 60_000;

interface DeadlineProps {
  session: SessionView;
}

/** Whether it is time to answer: the last fifth of a question's time. Nothing is loud before. */
const useIsClose = (session: SessionView): boolean =>
  useTimed((now) => session.deadlineAt !== null && session.deadlineAt - now <= reminderLead(session));

/** The remaining time in words; exact when the deadline is close. */
export function TimeLeft({ session }: DeadlineProps) {
  const t = useTranslate();
  const { remaining } = useCountdown(session.createdAt, session.deadlineAt);
  const isClose = useIsClose(session);
  return (
    <span className="time-left" data-close={isClose || undefined}>
      {sayLeft(t, remaining, 600_000)}
    </span>
  );
}

/** The same in a row of the list, where it is a number alone, and only exact in the last minute, so that few rows change per second. */
export function RowTime({ session }: DeadlineProps) {
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

function sayLeft(t: Translate, remaining: number | null, exactBelow: number): string {
  if (remaining === null) return t("time.none");
  return remaining === 0 ? t("time.over") : t("time.left", { time: sayRemaining(t, remaining, exactBelow) });
}

const sayRemaining = (t: Translate, remaining: number, exactBelow: number): string =>
  remaining < exactBelow ? clockDuration(remaining) : sayDuration(t, remaining);

/** A bar that runs out, once the deadline is close. It takes no room. */
export function DeadlineBar({ session }: DeadlineProps) {
  const { remaining } = useCountdown(session.createdAt, session.deadlineAt);
  const isClose = useIsClose(session);
  if (remaining === null || !isClose) return null;
  const fraction = remaining / reminderLead(session);
  return (
    <span className="deadline-bar" aria-hidden="true">
      <span style={{ transform: `scaleX(${fraction.toFixed(4)})` }} />
    </span>
  );
}
