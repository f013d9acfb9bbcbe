import type { Clock } from "@askbox/core";
import type { Verify } from "./verify.ts";

const minute = 60_000;
/** Wrong tokens per minute and address without a delay: many agents may start with an outdated one. */
const free = 20;
/** How much longer each further one takes, and the most it takes, in ms. */
const step = 50;
const longest = 1_000;
/** The maximum number of addresses that are remembered; the ones that were wrong least recently are forgotten. */
const maxAddresses = 10_000;

/**
 * Slows wrong tokens by the address that they come from. A valid token is never delayed, whatever others send from the same address.
 */
export function slowWrongTokens(clock: Clock, verify: Verify, addressOf: (request: Request) => string): Verify {
  const byAddress = new Map<string, { count: number; since: number }>();
  const delayOf = (address: string): number => {
    const now = clock.monotonic();
    const known = byAddress.get(address);
    const { count, since } = known === undefined || now - known.since >= minute ? { count: 0, since: now } : known;
    byAddress.delete(address);
    byAddress.set(address, { count: count + 1, since });
    const [oldest] = byAddress.keys();
    if (byAddress.size > maxAddresses && oldest !== undefined) byAddress.delete(oldest);
    return Math.min(longest, Math.max(0, count + 1 - free) * step);
  };
  return async (token, request) => {
    // Read before: a connection that was closed has none.
    const address = addressOf(request);
    const access = await verify(token, request);
    if (access !== undefined || token === undefined) return access;
    const delay = delayOf(address);
    if (delay > 0) await new Promise<void>((resolve) => void clock.setTimer(delay, resolve));
    return undefined;
  };
}
