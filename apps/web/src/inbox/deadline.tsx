import { clockDuration, useCountdown } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";

/** Below this a deadline is close, in ms. */
const close = 60_000;

/** What is left of a session's time, in words; exact when it gets close. */
export function TimeLeft({ from, until }: { from: number; until: number | null }) {
  const t = useTranslate();
  const { remaining } = useCountdown(from, until);
  if (remaining === null) return <span className="time-left">{t("time.none")}</span>;
  const text = remaining < 600_000 ? clockDuration(remaining) : sayDuration(t, remaining);
  return (
    <span className="time-left" data-close={remaining < close || undefined}>
      {remaining === 0 ? t("time.over") : t("time.left", { time: text })}
    </span>
  );
}

/** The same as a bar. */
export function DeadlineBar({ from, until }: { from: number; until: number | null }) {
  const { remaining, fraction } = useCountdown(from, until);
  if (remaining === null) return <span className="deadline-bar" data-none aria-hidden="true" />;
  return (
    <span className="deadline-bar" data-close={remaining < close || undefined} aria-hidden="true">
      <span style={{ transform: `scaleX(${fraction.toFixed(4)})` }} />
    </span>
  );
}
