import { setTimeout as pause } from "node:timers/promises";

/** Polls until a condition holds, and returns its value. Fails after `timeout` ms, and never succeeds just by waiting. */
export async function until<Found>(
  what: string,
  look: () => Found | undefined | false | Promise<Found | undefined | false>,
  timeout = 90_000,
): Promise<Found> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`In ${timeout} ms it did not come to this: ${what}.`);
    await pause(10);
  }
}

/** Lets this many milliseconds of real time pass: how long a person or a call takes, never a wait for something to happen. */
export const spend = (milliseconds: number): Promise<void> => pause(milliseconds);
