import type { Clock } from "./clock.ts";
import type { Digest } from "./digest.ts";
import { createIds, type Ids, type RandomSource } from "./ids.ts";

/** What the core needs from its environment besides a store. */
export interface Platform {
  clock: Clock;
  ids: Ids;
  digest: Digest;
}

/** The web-standard globals that `standardPlatform` uses; Node, Deno, Bun and browsers all have them. */
export interface StandardGlobals {
  Date: { now(): number };
  performance: { now(): number };
  setTimeout(callback: () => void, delay: number): unknown;
  clearTimeout(timer: never): void;
  crypto: {
    getRandomValues(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>;
    subtle: { digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> };
  };
  // Works with any buffer type, since older compilers differ there.
  TextEncoder: new () => { encode(text: string): Uint8Array };
}

/** The longest delay that `setTimeout` supports: 2^31 − 1 ms, about 24.8 days. */
const maxTimeout = 2_147_483_647;

/** The clock of `standardPlatform`. Its timers do not keep a Node process alive; waiting calls do. */
export function standardClock(globals: Pick<StandardGlobals, "Date" | "performance" | "setTimeout" | "clearTimeout">): Clock {
  const setTimer = (delay: number, callback: () => void): (() => void) => {
    let timer: unknown;
    const arm = (rest: number) => {
      const part = Math.min(Math.max(rest, 0), maxTimeout);
      timer = globals.setTimeout(() => (rest > part ? arm(rest - part) : callback()), part);
      (timer as { unref?: () => void }).unref?.();
    };
    arm(delay);
    return () => globals.clearTimeout(timer as never);
  };
  let alive = 0;
  let referenced: unknown;
  const stay = () => {
    referenced = globals.setTimeout(stay, maxTimeout);
  };
  const stayAlive = (): (() => void) => {
    alive += 1;
    if (alive === 1) stay();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      alive -= 1;
      if (alive === 0) globals.clearTimeout(referenced as never);
    };
  };
  return { now: () => globals.Date.now(), monotonic: () => globals.performance.now(), setTimer, stayAlive };
}

/**
 * A `Platform` from a runtime's own globals: `standardPlatform(globalThis)`. Its timers do not keep a Node process alive; waiting calls do.
 */
export function standardPlatform(globals: StandardGlobals): Platform {
  const encoder = new globals.TextEncoder();
  return {
    clock: standardClock(globals),
    ids: createIds(pooled((array) => globals.crypto.getRandomValues(array))),
    digest: async (text) => {
      const hash = await globals.crypto.subtle.digest("SHA-256", encoder.encode(text) as Uint8Array<ArrayBuffer>);
      return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}

/** Takes random bytes from the generator by the kilobyte, since each call of it costs more than the bytes. */
function pooled(fill: (array: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): RandomSource {
  const pool = new Uint8Array(1_024);
  let used = pool.length;
  return {
    bytes(count) {
      if (used + count > pool.length) {
        fill(pool);
        used = 0;
      }
      used += count;
      return pool.slice(used - count, used);
    },
  };
}
