const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds from one attempt to the next; about 14 hours in all, as the Standard Webhooks specification proposes. */
export const delays: readonly number[] = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 4 * hour, 8 * hour];

/** The longest wait that a receiver may ask for. */
const maxAfter = 8 * hour;

/**
 * Milliseconds until the next attempt after `attempts` that failed, up to a fifth more so that many do not come at once; what the receiver asked
 * for, if that is longer; undefined if it is time to give up.
 */
export function nextDelay(attempts: number, after: number | undefined, random: () => number): number | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : Math.max(delay * (1 + random() / 5), Math.min(after ?? 0, maxAfter));
}
