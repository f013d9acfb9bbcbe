import { type EndingCounts, endingKinds } from "@askbox/core/stores";

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
