import { useEffect, useState } from "react";
import { remainingFraction } from "../durations.ts";
import { useSurface } from "./surface.ts";

/** Wall time in ms, looked at again every `interval` ms. */
export function useNow(interval = 1_000): number {
  const { clock } = useSurface();
  const [now, setNow] = useState(() => clock.now());

  useEffect(() => {
    let cancel = () => {};
    const tick = () => {
      setNow(clock.now());
      cancel = clock.setTimer(interval, tick);
    };
    cancel = clock.setTimer(interval, tick);
    return () => cancel();
  }, [clock, interval]);
  return now;
}

export interface Countdown {
  /** Milliseconds, 0 or more; null without a deadline. */
  remaining: number | null;
  /** From 1 at the beginning down to 0; 1 without a deadline. */
  fraction: number;
}

/** What is left of the time from `from` to `until` (wall time). */
export function useCountdown(from: number, until: number | null): Countdown {
  const now = useNow();
  if (until === null) return { remaining: null, fraction: 1 };
  return { remaining: Math.max(0, until - now), fraction: remainingFraction(from, until, now) };
}
