const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `90d`, `12h`, `30m`, `45s`, `500ms` or a bare number of milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const unit = (match[2]?.toLowerCase() ?? "ms") as keyof typeof units;
  const duration = Math.round(Number(match[1]) * units[unit]);
  return Number.isSafeInteger(duration) ? duration : undefined;
}
