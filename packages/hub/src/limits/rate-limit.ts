import { AskboxError, type Clock } from "@askbox/core";

const minute = 60_000;

export interface RateLimit {
  /** Throws `RATE_LIMITED` with `details.retryAfter` (whole seconds, 1 or more) if the last minute is full. */
  check(key: string): void;
  /** Counts one, regardless of the limit. */
  count(key: string): void;
  /** Counts one. Throws `RATE_LIMITED` like `check`, in which case it is not counted. */
  take(key: string): void;
}

/** The error for exceeding the rate limit; `wait` in ms. */
export function tooOften(perMinute: number, what: { many: string; again: string }, wait: number): AskboxError {
  const retryAfter = Math.max(1, Math.ceil(wait / 1_000));
  const sentence = `More than ${perMinute} ${what.many} in a minute; ${what.again} again in ${retryAfter} seconds.`;
  return new AskboxError("RATE_LIMITED", sentence, { details: { retryAfter } });
}

/** At most `perMinute` in any 60 seconds per key, on the monotonic clock. `what` is used in the error message. */
export function rateLimit(clock: Clock, perMinute: number, what: { many: string; again: string }): RateLimit {
  const recent = new Map<string, number[]>();
  let sweepAt = clock.monotonic() + minute;

  /** In order, with the oldest first. Usually none has expired, and nothing is moved. */
  const fresh = (times: number[], now: number): number[] => {
    const first = times.findIndex((time) => time > now - minute);
    return first === 0 ? times : first === -1 ? [] : times.slice(first);
  };
  const sweep = (now: number) => {
    if (now < sweepAt) return;
    sweepAt = now + minute;
    for (const [key, times] of recent) {
      if (fresh(times, now).length === 0) recent.delete(key);
    }
  };

  const limit: RateLimit = {
    check(key) {
      const now = clock.monotonic();
      sweep(now);
      const known = recent.get(key);
      if (known === undefined) return;
      const times = fresh(known, now);
      recent.set(key, times);
      const [oldest] = times;
      if (oldest === undefined || times.length < perMinute) return;
      throw tooOften(perMinute, what, oldest + minute - now);
    },
    count(key) {
      const times = recent.get(key) ?? [];
      times.push(clock.monotonic());
      recent.set(key, times);
    },
    take(key) {
      limit.check(key);
      limit.count(key);
    },
  };
  return limit;
}
