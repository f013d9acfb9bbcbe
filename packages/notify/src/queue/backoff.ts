const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds between attempts; about 14 hours in total, as the Standard Webhooks specification suggests. */
const delays: readonly number[] = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 4 * hour, 8 * hour];

/** The longest delay, except for jitter, also at a receiver's request. */
export const maxDelay = 8 * hour;

/**
 * Milliseconds until the next attempt after `attempts` failures, plus up to a fifth as jitter; at least what the receiver requested;
 * undefined to give up.
 */
export function nextDelay(attempts: number, after: number | undefined, random: () => number): number | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : Math.max(delay * (1 + random() / 5), Math.min(after ?? 0, maxDelay));
}
