import type { Clock } from "../ports/platform.ts";

/** A clock that only moves when a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Advances wall and monotonic time by `ms` (0 or more). Due timers fire in order, each at its own time, and promise jobs run after each.
   * Resolves when those have run.
   */
  advance(ms: number): Promise<void>;
  /** Moves wall time only, forward or back, like a person or a time server. */
  jumpWall(ms: number): void;
  /** The number of active timers. */
  pendingTimers(): number;
}

/** Options of `fakeClock`. */
export interface FakeClockOptions {
  /** Wall time at the start. Default 1,700,000,000,000 (November 2023). */
  now?: number | undefined;
  /**
   * Lets other work run between timers. By default only promise jobs run; a test with real I/O passes its own wait, such as a turn of the
   * event loop.
   */
  settle?: (() => Promise<void>) | undefined;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** Enough rounds of the job queue for any chain of awaits without I/O. */
const jobRounds = 100;

async function runPromiseJobs(): Promise<void> {
  for (let round = 0; round < jobRounds; round += 1) await undefined;
}

/** A clock that stands still until `advance` or `jumpWall` is called. */
export function fakeClock(options: FakeClockOptions = {}): FakeClock {
  const settle = options.settle ?? runPromiseJobs;
  const timers = new Set<Timer>();
  let wall = options.now ?? 1_700_000_000_000;
  let monotonic = 0;

  const moveTo = (at: number) => {
    wall += at - monotonic;
    monotonic = at;
  };
  const nextDue = (until: number) => {
    let next: Timer | undefined;
    // Timers with the same time fire in the order in which they were set, which is the Set's own order.
    for (const timer of timers) if (timer.at <= until && (next === undefined || timer.at < next.at)) next = timer;
    return next;
  };

  return {
    now: () => wall,
    monotonic: () => monotonic,
    setTimer(delay, callback) {
      const timer = { at: monotonic + Math.max(0, delay), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      const until = monotonic + ms;
      await settle();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        timers.delete(timer);
        moveTo(Math.max(monotonic, timer.at));
        timer.callback();
        await settle();
      }
      moveTo(Math.max(monotonic, until));
    },
    jumpWall(ms) {
      wall += ms;
    },
    pendingTimers: () => timers.size,
  };
}
