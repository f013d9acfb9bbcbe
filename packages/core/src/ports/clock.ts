/** Takes back a timer; doing so twice, or after it fired, is harmless. */
export type CancelTimer = () => void;

/** Time as the broker sees it. Wall time may jump; monotonic time never does. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some fixed moment, unaffected by changes of the wall clock. */
  monotonic(): number;
  /** Calls back once after `delay` milliseconds of monotonic time (0 or more, no upper limit). Does not keep a process alive. */
  setTimer(delay: number, callback: () => void): CancelTimer;
  /** Keeps the process alive until the returned function is called, where a runtime ends one that has nothing to do: an ask that waits is something to do. */
  stayAlive?(): () => void;
}
