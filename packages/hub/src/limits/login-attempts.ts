import type { Clock, SharedState } from "@askbox/core";
import { rateLimit, tooOften } from "./rate-limit.ts";

/** Login attempts per minute and address: enough for a person, and a code has 128 bits. */
const perMinute = 20;
const attempts = { many: "attempts to log in", again: "try" };

/** Counts an attempt to log in from an address, at all hubs of a cluster. Rejects with `RATE_LIMITED` if there were too many. */
export function loginAttempts(clock: Clock, shared: Pick<SharedState, "take"> | undefined): (address: string) => Promise<void> {
  const here = rateLimit(clock, perMinute, attempts);
  return async (address) => {
    here.take(address);
    const wait = (await shared?.take(`attempts:${address}`, perMinute, 60_000)) ?? 0;
    if (wait > 0) throw tooOften(perMinute, attempts, wait);
  };
}
