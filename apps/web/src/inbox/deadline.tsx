/** A question's time in a row of the list. What an open question shows of it is in `session/time-left.tsx`. */
import type { SessionView } from "@askbox/core";
import { clockDuration } from "@askbox/inbox";
import { type Urgency, urgencyOf } from "@askbox/inbox/list";
import { useTimed } from "@askbox/react";
import { sayDuration } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import type { Translate } from "../i18n/translate.ts";

/** With less time left than this (ms), a row shows it to the second. */
const exact = 60_000;

/** How near its end is; undefined while nothing is loud. */
export const useUrgency = (session: SessionView): Urgency | undefined => useTimed((now) => urgencyOf(session, now) ?? "") || undefined;

/** The remaining time, a number alone, and only exact in the last minute, so that few rows change per second. */
export function RowTime({ session }: { session: SessionView }) {
  const t = useTranslate();
  const { deadlineAt } = session;
  const text = useTimed((now) => (deadlineAt === null ? "" : sayRemaining(t, Math.max(0, deadlineAt - now), exact)));
  const urgency = useUrgency(session);
  return (
    <span className="time-left" data-urgency={urgency}>
      {text}
    </span>
  );
}

export const sayRemaining = (t: Translate, remaining: number, exactBelow: number): string =>
  remaining < exactBelow ? clockDuration(remaining) : sayDuration(t, remaining);
