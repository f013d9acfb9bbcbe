import type { Clock } from "@askbox/core";

/** A running clock that can be made to jump, including its timers, and to stand still otherwise. */
export function skippingClock(real: Clock): Clock & { skip(ms: number): void; hold(): void } {
  const armed = new Set<{ at: number; callback: () => void; cancel: () => void }>();
  let skipped = 0;
  let held: { now: number; monotonic: number } | undefined;
  const monotonic = () => (held ?? { monotonic: real.monotonic() }).monotonic + skipped;
  const arm = (timer: { at: number; callback: () => void; cancel: () => void }) => {
    const left = Math.max(0, timer.at - monotonic());
    timer.cancel();
    if (held !== undefined && left > 0) return;
    timer.cancel = real.setTimer(left, () => {
      armed.delete(timer);
      timer.callback();
    });
  };
  const armAll = () => {
    for (const timer of [...armed].sort((a, b) => a.at - b.at)) arm(timer);
  };
  return {
    now: () => (held ?? { now: real.now() }).now + skipped,
    monotonic,
    setTimer(delay, callback) {
      const timer = { at: monotonic() + delay, callback, cancel: () => {} };
      armed.add(timer);
      arm(timer);
      return () => {
        timer.cancel();
        armed.delete(timer);
      };
    },
    skip(ms) {
      skipped += ms;
      armAll();
    },
    hold() {
      held ??= { now: real.now(), monotonic: real.monotonic() };
      armAll();
    },
  };
}
