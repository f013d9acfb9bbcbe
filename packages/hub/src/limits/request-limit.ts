import type { Clock } from "@askbox/core";
import { tooOften } from "./rate-limit.ts";

const minute = 60_000;
/** A thousand a second, far more than a person or an honest agent needs. */
const DEFAULT_REQUESTS_PER_MINUTE = 60_000;
const ofRequests = { many: "requests with one token", again: "send" };

/** Limits each token's requests, over any transport. */
export interface RequestLimit {
  /**
   * Counts one. Throws `RATE_LIMITED` with `details.retryAfter` (whole seconds, 1 or more) if there have been too many, in which case it is
   * not counted.
   */
  take(owner: string): void;
}

/**
 * A burst of `perMinute`, refilled at the same rate. One number per token, so that a limit in the tens of thousands costs neither memory
 * nor time.
 */
export function requestLimit(clock: Clock, perMinute = DEFAULT_REQUESTS_PER_MINUTE): RequestLimit {
  const buckets = new Map<string, { free: number; at: number }>();
  let sweepAt = clock.monotonic() + minute;
  return {
    take(owner) {
      const now = clock.monotonic();
      if (now >= sweepAt) {
        sweepAt = now + minute;
        // A bucket that was not used for a minute is full.
        for (const [key, { at }] of buckets) if (now - at >= minute) buckets.delete(key);
      }
      const { free, at } = buckets.get(owner) ?? { free: perMinute, at: now };
      const refilled = Math.min(perMinute, free + ((now - at) * perMinute) / minute);
      buckets.set(owner, { free: refilled < 1 ? refilled : refilled - 1, at: now });
      if (refilled < 1) throw tooOften(perMinute, ofRequests, ((1 - refilled) * minute) / perMinute);
    },
  };
}
