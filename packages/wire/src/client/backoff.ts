/** Milliseconds. */
const base = 100;
const cap = 5_000;

/**
 * Milliseconds until the next attempt: exponential with full jitter, so that the clients of a restarting hub do not all reconnect at once.
 */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(cap, base * 2 ** Math.min(attempt, 16));
}

/** A connection that lasted this long, in ms, resets the backoff. */
export const steadyAfter = cap;
