import type { SessionView } from "@askbox/core";
import { reminderLead } from "@askbox/core/questions";
import { useCountdown } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import type { Translate } from "../i18n/translate.ts";
import { sayRemaining, useIsClose } from "../inbox/deadline.tsx";

/** With less time left than this (ms), an open question shows it to the second. */
const exact = 600_000;

/** The remaining time in words. */
export function TimeLeft({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { remaining } = useCountdown(session.createdAt, session.deadlineAt);
  const isClose = useIsClose(session);
  return (
    <span className="time-left" data-close={isClose || undefined}>
      {sayLeft(t, remaining)}
    </span>
  );
}

function sayLeft(t: Translate, remaining: number | null): string {
  if (remaining === null) return t("time.none");
  return remaining === 0 ? t("time.over") : t("time.left", { time: sayRemaining(t, remaining, exact) });
}

/** A bar that runs out, once the deadline is close. It takes no room. */
export function DeadlineBar({ session }: { session: SessionView }) {
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
