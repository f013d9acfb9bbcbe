import type { Clock } from "@askbox/core";

export interface IdleExitOptions {
  clock: Clock;
  /** How long nobody must have been there; 0 for never. */
  seconds: number;
  /** Whether somebody is connected or something is pending. */
  isBusy(): boolean;
  /** Rises with each request, so that visits between two looks are seen. */
  visits(): number;
  leave(): void;
}

/** Lets a hub leave when it has been idle for long enough; within a tenth of the time. Returns how to stop it. */
export function exitWhenIdle({ clock, seconds, isBusy, visits, leave }: IdleExitOptions): () => void {
  if (seconds === 0) return () => {};
  const limit = seconds * 1_000;
  const step = Math.min(Math.max(limit / 10, 50), 10_000);
  let idleSince = clock.monotonic();
  let seen = visits();
  const look = () => {
    const now = clock.monotonic();
    if (isBusy() || visits() !== seen) {
      seen = visits();
      idleSince = now;
    }
    if (now - idleSince >= limit) return leave();
    cancel = clock.setTimer(step, look);
  };
  let cancel = clock.setTimer(step, look);
  return () => cancel();
}
