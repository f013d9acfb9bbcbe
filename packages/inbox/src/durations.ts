/** The unit of a coarse duration. */
export type DurationUnit = "seconds" | "minutes" | "hours" | "days";

/** A duration in words; the surface provides them. */
export interface DurationPart {
  unit: DurationUnit;
  /** Whole, 0 or more. */
  count: number;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The largest unit that fits, rounded down: 0–59 s, 1–59 min, 1–47 h, then days. */
export function coarseDuration(ms: number): DurationPart {
  const length = Math.max(0, ms);
  if (length < minute) return { unit: "seconds", count: Math.floor(length / second) };
  if (length < hour) return { unit: "minutes", count: Math.floor(length / minute) };
  if (length < 2 * day) return { unit: "hours", count: Math.floor(length / hour) };
  return { unit: "days", count: Math.floor(length / day) };
}

const lengths: Readonly<Record<DurationUnit, number>> = { seconds: second, minutes: minute, hours: hour, days: day };

/** A length (ms) that `coarseDuration` says rounded to its largest unit, for what is left: 3 min 45 s as 4 min. */
export const nearest = (ms: number): number => ms + lengths[coarseDuration(ms).unit] / 2;

/** `4:05`, `1:00:00`: the remaining time, rounded up, so that 0:00 means it is over. */
export function clockDuration(ms: number): string {
  const total = Math.ceil(Math.max(0, ms) / second);
  const two = (part: number) => String(part).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
