import { AskboxError, type Clock } from "@askbox/core";

const minute = 60_000;

export interface RateLimit {
  /** Counts one. Throws `RATE_LIMITED` with `details.retryAfter` (whole seconds, 1 or more) when the last minute is full; that is not counted. */
  take(key: string): void;
}

/** At most `perMinute` in any 60 seconds by each key, on the monotonic clock. `what` names them to whoever comes too often. */
export function rateLimit(clock: Clock, perMinute: number, what: { many: string; again: string }): RateLimit {
  const recent = new Map<string, number[]>();
  let sweepAt = clock.monotonic() + minute;

  const fresh = (times: readonly number[], now: number) => times.filter((time) => time > now - minute);
  const sweep = (now: number) => {
    if (now < sweepAt) return;
    sweepAt = now + minute;
    for (const [key, times] of recent) {
      if (fresh(times, now).length === 0) recent.delete(key);
    }
  };

  return {
    take(key) {
      const now = clock.monotonic();
      sweep(now);
      const times = fresh(recent.get(key) ?? [], now);
      recent.set(key, times);
      const [oldest] = times;
      if (oldest !== undefined && times.length >= perMinute) {
        const retryAfter = Math.max(1, Math.ceil((oldest + minute - now) / 1_000));
        throw new AskboxError(
          "RATE_LIMITED",
          `More than ${perMinute} ${what.many} in a minute; ${what.again} again in ${retryAfter} seconds.`,
          {
            details: { retryAfter },
          },
        );
      }
      times.push(now);
    },
  };
}
