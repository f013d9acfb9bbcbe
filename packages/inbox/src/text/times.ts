import { clockDuration, coarseDuration, type DurationUnit, nearest } from "../durations.ts";

/** Times in English: lengths, what has passed, what is left, and moments. */

const shortUnits: Readonly<Record<DurationUnit, string>> = { seconds: "s", minutes: "min", hours: "h", days: "d" };

/** `12 s`, `3 min`, `2 h`, `5 d`: the largest unit that fits, rounded down. Negative lengths count as zero. */
export function shortDuration(ms: number): string {
  const { unit, count } = coarseDuration(ms);
  return `${count} ${shortUnits[unit]}`;
}

/** Lengths in words. */
export const lengthNames = {
  seconds: { one: "{count} second", other: "{count} seconds" },
  minutes: { one: "{count} minute", other: "{count} minutes" },
  hours: { one: "{count} hour", other: "{count} hours" },
  days: { one: "{count} day", other: "{count} days" },
} as const satisfies Record<DurationUnit, object>;

/** `1 minute`, `5 hours`. */
export function longDuration(ms: number): string {
  const { unit, count } = ms === day ? ({ unit: "days", count: 1 } as const) : coarseDuration(ms);
  return lengthNames[unit][count === 1 ? "one" : "other"].replace("{count}", String(count));
}

/** How long ago something was: `3 min ago`; `just now` within a second. */
export const ago = (at: number, now: number): string => (now - at < 1_000 ? "just now" : `${shortDuration(now - at)} ago`);

/** The time left as a clock: `4:05`, from two hours on `2 h`; `no limit` without a deadline. */
export function timeLeft(deadlineAt: number | null, now: number): string {
  if (deadlineAt === null) return "no limit";
  const left = deadlineAt - now;
  return left > 2 * 3_600_000 ? shortDuration(left) : clockDuration(left);
}

const two = (part: number) => String(part).padStart(2, "0");

/** The local time, `17:05`; with its date if it is not today. */
export function timeOfDay(at: number, now: number): string {
  const date = new Date(at);
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`;
  if (new Date(now).toDateString() === date.toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}

/** A length rounded to its largest unit, for what is left: `4 min` of 3 min 45 s. */
export const roundedDuration = (ms: number): string => shortDuration(nearest(ms));

const day = 86_400_000;
