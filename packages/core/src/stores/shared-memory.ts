import { AskboxError } from "../errors.ts";
import type { Clock } from "../ports/platform.ts";
import type { SharedState } from "../ports/shared.ts";

interface Entry {
  value: string;
  version: number;
  /** On the monotonic clock; infinite if it does not expire. */
  until: number;
}

/** How many changes are made between two cleanups of expired values. */
const sweepEvery = 1_000;

/** Shared state in this process's memory, for several brokers: each opens its own handle with `open`. */
export function sharedMemory(clock: Pick<Clock, "monotonic">): { open(): SharedState } {
  const kept = new Map<string, Entry>();
  const counted = new Map<string, { times: number[]; until: number }>();
  const topics = new Map<string, Set<(message: string) => void>>();
  const waiting: [topic: string, message: string][] = [];
  let publishing = false;
  let changes = 0;

  const entryOf = (key: string): Entry | undefined => {
    const entry = kept.get(key);
    return entry === undefined || entry.until <= clock.monotonic() ? undefined : entry;
  };
  const read = (key: string): string | undefined => entryOf(key)?.value;
  const sweep = () => {
    changes += 1;
    if (changes % sweepEvery !== 0) return;
    const now = clock.monotonic();
    for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
    for (const [key, { until }] of counted) if (until <= now) counted.delete(key);
  };

  const deliver = (topic: string, message: string) => {
    for (const listener of [...(topics.get(topic) ?? [])]) {
      try {
        listener(message);
      } catch {
        // A listener that throws must not keep the event from the others.
      }
    }
  };

  const open = (): SharedState => {
    const own: (() => void)[] = [];
    let closed = false;
    const assertOpen = () => {
      if (closed) throw new AskboxError("STORE_UNAVAILABLE", "The shared state is closed; open it again.");
    };
    return {
      async get(key) {
        assertOpen();
        return read(key);
      },
      async getNewer(key, version) {
        assertOpen();
        const entry = entryOf(key);
        const present = String(entry?.version ?? "");
        return present === version ? undefined : { version: present, value: entry?.value };
      },
      async swap(key, expected, next, ttl) {
        assertOpen();
        sweep();
        if (read(key) !== expected) return false;
        if (next === undefined) kept.delete(key);
        else kept.set(key, { value: next, version: changes, until: ttl === null ? Number.POSITIVE_INFINITY : clock.monotonic() + ttl });
        return true;
      },
      async take(key, most, window) {
        assertOpen();
        sweep();
        const now = clock.monotonic();
        const times = (counted.get(key)?.times ?? []).filter((time) => time > now - window);
        const [oldest] = times;
        if (oldest !== undefined && times.length >= most) return Math.max(1, Math.ceil(oldest + window - now));
        times.push(now);
        counted.set(key, { times, until: now + window });
        return 0;
      },
      async publish(topic, message) {
        assertOpen();
        waiting.push([topic, message]);
        if (publishing) return;
        publishing = true;
        // Sequential, even if a listener publishes: each publisher's messages arrive in order.
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) deliver(...next);
        publishing = false;
      },
      async subscribe(topic, listener) {
        assertOpen();
        const listeners = topics.get(topic) ?? new Set();
        const mine = (message: string) => listener(message);
        topics.set(topic, listeners.add(mine));
        const stop = () => void listeners.delete(mine);
        own.push(stop);
        return stop;
      },
      async close() {
        closed = true;
        for (const stop of own) stop();
      },
    };
  };
  return { open };
}
