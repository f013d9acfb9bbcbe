import type { SessionView } from "@askbox/core";
import { urgentFrom } from "@askbox/inbox/list";
import { useCountdown } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import type { Translate } from "../i18n/translate.ts";
import { sayRemaining, useUrgency } from "../inbox/deadline.tsx";

/** With less time left than this (ms), an open question shows it to the second. */
const exact = 600_000;

/** The remaining time in words. */
export function TimeLeft({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { remaining } = useCountdown(session.createdAt, session.deadlineAt);
  const urgency = useUrgency(session);
  return (
    <span className="time-left" data-urgency={urgency}>
      {sayLeft(t, remaining)}
    </span>
  );
}

function sayLeft(t: Translate, remaining: number | null): string {
  if (remaining === null) return t("time.none");
  return remaining === 0 ? t("time.over") : t("time.left", { time: sayRemaining(t, remaining, exact) });
}

/** A bar that runs out in the last two minutes. It takes no room. */
export function DeadlineBar({ session }: { session: SessionView }) {
  const { remaining } = useCountdown(session.createdAt, session.deadlineAt);
  const urgency = useUrgency(session);
  if (remaining === null || urgency === undefined) return null;
  const fraction = remaining / Math.min(urgentFrom.soon, (session.deadlineAt ?? 0) - session.createdAt);
  return (
    <span className="deadline-bar" data-urgency={urgency} aria-hidden="true">
      <span style={{ transform: `scaleX(${fraction.toFixed(4)})` }} />
    </span>
  );
}
