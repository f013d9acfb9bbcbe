/** Cancels a timer; does nothing if it was already cancelled or has fired. */
export type CancelTimer = () => void;

/** The broker's time source. Wall time may jump; monotonic time never does. */
export interface Clock {
  /** Wall time in milliseconds since the Unix epoch. */
  now(): number;
  /** Milliseconds since some fixed moment, unaffected by changes of the wall clock. */
  monotonic(): number;
  /** Calls back once after `delay` milliseconds of monotonic time (0 or more, no upper limit). Does not keep a process alive. */
  setTimer(delay: number, callback: () => void): CancelTimer;
  /** Keeps the process alive until the returned function is called, in runtimes that exit when idle. Used by waiting asks. */
  stayAlive?(): () => void;
}
