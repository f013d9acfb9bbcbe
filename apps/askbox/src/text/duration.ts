const units = [
  { name: "d", milliseconds: 86_400_000 },
  { name: "h", milliseconds: 3_600_000 },
  { name: "min", milliseconds: 60_000 },
  { name: "s", milliseconds: 1_000 },
] as const;

/** A duration in its largest unit, rounded down: `4 min`. In milliseconds; negative values count as zero. */
export function duration(milliseconds: number): string {
  const unit = units.find((candidate) => milliseconds >= candidate.milliseconds) ?? units[3];
  return `${Math.max(0, Math.floor(milliseconds / unit.milliseconds))} ${unit.name}`;
}

export function ago(then: number, now: number): string {
  return now - then < 1_000 ? "just now" : `${duration(now - then)} ago`;
}

/** A time in the future, rounded to its largest unit. */
export function timeLeft(milliseconds: number): string {
  const unit = units.find((candidate) => milliseconds >= candidate.milliseconds) ?? units[3];
  return duration(milliseconds + unit.milliseconds / 2);
}
