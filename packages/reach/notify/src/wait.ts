import type { Clock } from "@askbox/core";

/** Resolves after a time in ms, or when the signal is aborted. */
export function wait(clock: Clock, delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.setTimer(delay, resolve);
    signal.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
