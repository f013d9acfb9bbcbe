import type { Clock } from "@askbox/core";

export interface IdleExitOptions {
  clock: Clock;
  /** How long nobody must have been there; 0 for never. */
  seconds: number;
  /** Whether somebody is connected or registered, or something is pending. A look that fails counts as busy. */
  isBusy(): Promise<boolean>;
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
  let isOver = false;
  const look = async () => {
    const isInUse = await isBusy().catch(() => true);
    if (isOver) return;
    const now = clock.monotonic();
    if (isInUse || visits() !== seen) {
      seen = visits();
      idleSince = now;
    }
    if (now - idleSince >= limit) return leave();
    cancel = clock.setTimer(step, () => void look());
  };
  let cancel = clock.setTimer(step, () => void look());
  return () => {
    isOver = true;
    cancel();
  };
}
