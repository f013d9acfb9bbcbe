import type { Clock } from "@askbox/core";

export interface IdleExitOptions {
  clock: Clock;
  /** The idle time before it exits; 0 for never. */
  seconds: number;
  /** Whether anything is connected or registered, or a session is pending. A failing check counts as busy. */
  isBusy(): Promise<boolean>;
  /** Increases with each request, so that requests between two checks are noticed. */
  visits(): number;
  leave(): void;
}

/** Calls back when a hub has been idle for long enough; within a tenth of the time. Returns a function that stops it. */
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
