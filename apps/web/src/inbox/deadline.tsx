import { clockDuration, useCountdown, useTimed } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";

/** With less time left than this (ms), a deadline is close. */
const close = 60_000;

/** The remaining time in words; exact when the deadline is close. */
export function TimeLeft({ from, until }: { from: number; until: number | null }) {
  const t = useTranslate();
  const { remaining } = useCountdown(from, until);
  return (
    <span className="time-left" data-close={(remaining !== null && remaining < close) || undefined}>
      {sayLeft(t, remaining, 600_000)}
    </span>
  );
}

/** The same in a row of the list, where it is a number alone, and only exact in the last minute, so that few rows change per second. */
export function RowTime({ until }: { until: number | null }) {
  const t = useTranslate();
  const text = useTimed((now) => (until === null ? "" : sayRemaining(t, Math.max(0, until - now), close)));
  const isClose = useTimed((now) => until !== null && until - now < close);
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
