import { type EndingCounts, type EndingKind, endingKinds } from "@askbox/core/stores";
import type { MessageKey } from "../i18n/en.ts";

/** The words for what is counted. */
export const tallyKeys = {
  answered: "ending.answered",
  cancelled: "ending.declined",
  withdrawn: "ending.withdrawn",
  timedOut: "ending.timed_out",
} as const satisfies Record<EndingKind, MessageKey>;

/** The local midnights of the last `days` days, the earliest first. */
export function dayStarts(days: number, now: number): number[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now);
    // Uses the calendar, since a day has 23 or 25 hours twice a year.
    day.setDate(day.getDate() - (days - 1 - index));
    return day.setHours(0, 0, 0, 0);
  });
}

export const sumOf = (counts: EndingCounts): number => endingKinds.reduce((sum, ending) => sum + counts[ending], 0);
