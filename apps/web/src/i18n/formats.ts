import { coarseDuration } from "@askbox/inbox";
import { useMemo } from "react";
import { useSettings } from "../stored-settings.ts";
import type { MessageKey } from "./en.ts";
import { chosenLanguage } from "./language.tsx";
import type { Language, Translate } from "./translate.ts";

/** Dates and numbers in the page's language. Times are wall time in ms since the epoch. */
export interface Formats {
  /** A day with its weekday. */
  day(at: number): string;
  /** A short date, for an axis. */
  shortDay(at: number): string;
  time(at: number): string;
  /** Day and time. */
  moment(at: number): string;
  count(value: number): string;
  /** A fraction of 0–1 as a percentage. */
  share(value: number): string;
}

/** The browser's own variant of the language, since English dates have several formats. */
function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === language) ?? language;
}

export function createFormats(locale: string): Formats {
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, options);
    return (at: number) => format.format(at);
  };
  const counts = new Intl.NumberFormat(locale);
  const shares = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
  return {
    day: dates({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    shortDay: dates({ day: "numeric", month: "short" }),
    time: dates({ hour: "numeric", minute: "2-digit" }),
    moment: dates({ day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit" }),
    count: (value) => counts.format(value),
    share: (value) => shares.format(value),
  };
}

export function useFormats(): Formats {
  const language = chosenLanguage(useSettings().language);
  return useMemo(() => createFormats(localeOf(language)), [language]);
}

/** A length in words: `8 hours`. */
export function sayLongDuration(t: Translate, ms: number): string {
  const { unit, count } = coarseDuration(ms);
  return t(`length.${unit}`, { count });
}

/** A duration: to the second below ten minutes, and in two units above an hour. */
export function sayLength(t: Translate, ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  const parts: [MessageKey, number][] =
    seconds < 60
      ? [["time.seconds", seconds]]
      : seconds < 600
        ? [
            ["time.minutes", minutes],
            ["time.seconds", seconds % 60],
          ]
        : [
            ["time.days", days],
            ["time.hours", hours],
            ["time.minutes", days > 0 ? 0 : minutes],
          ];
  return parts
    .filter(([, count], index) => count > 0 || (parts.length === 1 && index === 0))
    .map(([unit, count]) => t(unit, { count }))
    .join(" ");
}
