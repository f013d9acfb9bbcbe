import type { Clock } from "@askbox/core";
import { backOff } from "@askbox/core/transport";
import type { Tunnel } from "./ssh-host.ts";

/**
 * Keeps a tunnel open: a broken one is replaced, at once if it had held, and after longer and longer pauses if it doesn't come up. A machine
 * that was asleep wakes with a tunnel that looks whole, and would wait for its keep-alive: that one is replaced, too.
 */

const pauses = { first: 1_000, max: 60_000 };
/** Milliseconds. A tunnel that held for this long starts the pauses from the beginning. */
const steadyAfter = 30_000;
/** A way that comes and goes is there each time: its pauses end at 4 s. */
const maxOfFlapping = 3;
/** Milliseconds between looks at the clock, and by how much more wall time has gone by after sleep. */
const [lookEvery, sleptFor] = [5_000, 15_000];

export interface HoldTunnelOptions {
  open(): Tunnel;
  clock: Clock;
  random(): number;
  onUp(): void;
  /** `pause`: until the next attempt, in ms. */
  onDown(reason: string, pause: number): void;
  signal: AbortSignal;
}

/** Resolves when the signal aborts. Rejects with what `open` throws, and if the very first tunnel doesn't come up. */
export async function holdTunnel({ open, clock, random, onUp, onDown, signal }: HoldTunnelOptions): Promise<void> {
  let failures = 0;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const tunnel = open();
    const close = () => tunnel.close();
    signal.addEventListener("abort", close, { once: true });
    const stopWatching = watchForSleep(clock, close);
    const isUp = await tunnel.ready;
    const since = clock.monotonic();
    if (isUp) onUp();
    const reason = await tunnel.ended;
    stopWatching();
    signal.removeEventListener("abort", close);
    if (signal.aborted) return;
    if (isFirst && !isUp) throw new Error(reason);
    if (!isUp) failures += 1;
    else failures = clock.monotonic() - since >= steadyAfter ? 0 : Math.min(failures + 1, maxOfFlapping);
    const pause = failures === 0 ? 0 : Math.round((0.5 + random() / 2) * backOff(pauses, failures - 1));
    onDown(reason, pause);
    await paused(clock, pause, signal);
  }
}

function watchForSleep(clock: Clock, onWake: () => void): () => void {
  let cancel = () => {};
  const look = (before: number) => {
    cancel = clock.setTimer(lookEvery, () => {
      const now = clock.now();
      if (now - before > lookEvery + sleptFor) onWake();
      look(now);
    });
  };
  look(clock.now());
  return () => cancel();
}

function paused(clock: Clock, delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.setTimer(delay, done);
    signal.addEventListener("abort", done);
  });
}
