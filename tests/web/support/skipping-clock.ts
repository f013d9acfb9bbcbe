import type { Clock } from "@askbox/core";

/** A running clock that can be made to jump, including its timers. */
export function skippingClock(real: Clock): Clock & { skip(ms: number): void } {
  const armed = new Set<{ at: number; callback: () => void; cancel: () => void }>();
  let skipped = 0;
  const monotonic = () => real.monotonic() + skipped;
  const arm = (timer: { at: number; callback: () => void; cancel: () => void }) => {
    timer.cancel = real.setTimer(Math.max(0, timer.at - monotonic()), () => {
      armed.delete(timer);
      timer.callback();
    });
  };
  return {
    now: () => real.now() + skipped,
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
      for (const timer of [...armed].sort((a, b) => a.at - b.at)) {
        timer.cancel();
        arm(timer);
      }
    },
  };
}
