import { setTimeout as pause } from "node:timers/promises";

/** Polls until a condition holds. Fails after a deadline, and never succeeds just by waiting. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("It did not come to hold in time.");
    await pause(10);
  }
}
