import type { Clock } from "@askbox/core";
import type { Store } from "@askbox/inbox";
import { useMemo, useSyncExternalStore } from "react";
import { useAskbox } from "./askbox-context.ts";

/** One ticker per clock and interval, shared by all components. */
const tickers = new WeakMap<Clock, Map<number, Store<number>>>();

function tickerOf(clock: Clock, interval: number): Store<number> {
  const ofClock = tickers.get(clock) ?? new Map<number, Store<number>>();
  tickers.set(clock, ofClock);
  const ticker = ofClock.get(interval) ?? createTicker(clock, interval);
  ofClock.set(interval, ticker);
  return ticker;
}

function createTicker(clock: Clock, interval: number): Store<number> {
  const listeners = new Set<() => void>();
  let now = clock.now();
  let cancel = () => {};
  const arm = () => {
    cancel = clock.setTimer(interval, () => {
      now = clock.now();
      arm();
      for (const listener of [...listeners]) listener();
    });
  };
  return {
    getState: () => now,
    subscribe(listener) {
      const own = () => listener();
      if (listeners.size === 0) {
        now = clock.now();
        arm();
      }
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) cancel();
      };
    },
  };
}

/** Wall time in ms, updated every `interval` ms. */
export function useNow(interval = 1_000): number {
  const { clock } = useAskbox();
  const ticker = useMemo(() => tickerOf(clock, interval), [clock, interval]);
  return useSyncExternalStore(ticker.subscribe, ticker.getState, ticker.getState);
}

/**
 * What `select` returns for the wall time in ms, updated every `interval` ms. The component only renders again if the result changes, so that
 * each row of a long list can use the clock; `select` returns a string, a number or a boolean.
 */
export function useTimed<Value extends string | number | boolean>(select: (now: number) => Value, interval = 1_000): Value {
  const { clock } = useAskbox();
  const ticker = useMemo(() => tickerOf(clock, interval), [clock, interval]);
  const look = () => select(ticker.getState());
  return useSyncExternalStore(ticker.subscribe, look, look);
}

/** The time until a deadline, for display. */
export interface Countdown {
  /** Milliseconds, 0 or more; null without a deadline. */
  remaining: number | null;
  /** From 1 at the start down to 0; 1 without a deadline. */
  fraction: number;
}

/** The time left until `until`, as part of the time since `from` (wall time). */
export function useCountdown(from: number, until: number | null): Countdown {
  const now = useNow();
  if (until === null) return { remaining: null, fraction: 1 };
  const remaining = Math.max(0, until - now);
  return { remaining, fraction: until <= from ? 0 : Math.min(1, remaining / (until - from)) };
}
