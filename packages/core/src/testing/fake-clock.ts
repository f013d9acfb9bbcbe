import type { Clock } from "../ports/clock.ts";

/** A clock that moves only when a test moves it. */
export interface FakeClock extends Clock {
  /**
   * Moves wall and monotonic time on by `ms` (0 or more). Timers that fall due fire in the order of their time, each at its own
   * moment, and promise jobs run after each. Resolves when those have run.
   */
  advance(ms: number): Promise<void>;
  /** Moves wall time alone, forward or back, as a person or a time server does. */
  jumpWall(ms: number): void;
  /** How many timers are armed. */
  pendingTimers(): number;
}

/** Options of `fakeClock`. */
export interface FakeClockOptions {
  /** Wall time at the start. Default 1,700,000,000,000 (November 2023). */
  now?: number;
  /**
   * Lets work go on between timers. By default promise jobs alone run; a test over real I/O gives a wait of its own,
   * such as a turn of the event loop.
   */
  settle?: () => Promise<void>;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** Enough turns of the job queue for any chain of awaits that does no I/O. */
const jobTurns = 100;

async function runPromiseJobs(): Promise<void> {
  for (let turn = 0; turn < jobTurns; turn += 1) await undefined;
}

/** A clock that stands still until `advance` or `jumpWall` moves it. */
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
    // Timers of one moment fire in the order in which they were set, which is the Set's own order.
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
