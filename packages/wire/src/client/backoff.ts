/** Milliseconds. */
const base = 100;
const cap = 5_000;

/** Milliseconds until the next attempt: exponential with full jitter, so that many clients of a hub that restarts do not come at one moment. */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(cap, base * 2 ** Math.min(attempt, 16));
}

/** A connection that lasted this long, in ms, shows that the hub is well, and the next loss starts from the shortest delay. */
export const steadyAfter = cap;
