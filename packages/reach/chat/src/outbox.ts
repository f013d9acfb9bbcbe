import type { CancelTimer, Clock } from "@askbox/core";

/** Milliseconds until a failed message is tried again, at first and at most. */
const delays = { first: 1_000, max: 30_000 };

/** How one attempt ended: posted, which counts for the limits, done, or when to try again, in ms; undefined for the outbox's own delay. */
export type Attempted = "posted" | "done" | { again: number | undefined };

export interface OutboxOptions {
  clock: Clock;
  /** Milliseconds between two new messages, and how many of them a minute there may be. */
  gap: number;
  minute: number;
  /** Brings one chat's message up to date. */
  run(key: string): Promise<Attempted>;
}

/** What is to be sent to one chat: one message after the other, each as it is when its turn comes, and again until it has arrived. */
export interface Outbox {
  /** `first`: before what is waiting. Resolves when it was sent, given up, or the outbox closed. */
  want(key: string, options?: { first?: boolean }): Promise<void>;
  /** Tries at once what failed. */
  wake(): void;
  close(): Promise<void>;
}

export function outbox({ clock, gap, minute, run }: OutboxOptions): Outbox {
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const sent: number[] = [];
  let cancel: CancelTimer = () => {};
  let running: Promise<void> | undefined;
  let failures = 0;
  /** Monotonic time before which nothing is sent. */
  let notBefore = 0;
  let isClosed = false;

  const next = () => {
    cancel();
    if (isClosed || running !== undefined || waiting.size === 0) return;
    const now = clock.monotonic();
    while (sent[0] !== undefined && sent[0] <= now - 60_000) sent.shift();
    const full = sent.length >= minute ? (sent[0] ?? 0) + 60_000 : 0;
    const at = Math.max(notBefore, full, (sent.at(-1) ?? Number.NEGATIVE_INFINITY) + gap);
    if (at > now) cancel = clock.setTimer(at - now, next);
    else {
      running = step().finally(() => {
        running = undefined;
        next();
      });
    }
  };
  const step = async () => {
    const [key, promise] = [...waiting][0] ?? [];
    if (key === undefined || promise === undefined) return;
    waiting.delete(key);
    const attempted = await run(key).catch((): Attempted => ({ again: undefined }));
    if (attempted === "posted") sent.push(clock.monotonic());
    if (typeof attempted === "string") {
      failures = 0;
      promise.resolve();
      return;
    }
    notBefore = clock.monotonic() + (attempted.again ?? Math.min(delays.first * 2 ** failures, delays.max));
    failures += 1;
    const again = waiting.get(key);
    // Changed again in the meantime: both are done with the next attempt.
    if (again !== undefined) void again.promise.then(promise.resolve);
    else waiting.set(key, promise);
  };
  return {
    want(key, { first = false } = {}) {
      if (isClosed) return Promise.resolve();
      const present = waiting.get(key);
      const promise = present ?? Promise.withResolvers<void>();
      if (first) {
        const others = [...waiting].filter(([other]) => other !== key);
        waiting.clear();
        for (const [each, its] of [[key, promise] as const, ...others]) waiting.set(each, its);
      } else waiting.set(key, promise);
      next();
      return promise.promise;
    },
    wake() {
      failures = 0;
      notBefore = 0;
      next();
    },
    async close() {
      isClosed = true;
      cancel();
      await running;
      for (const { resolve } of waiting.values()) resolve();
    },
  };
}
