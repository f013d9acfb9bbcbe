import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";

/** A test of the core does no I/O and sets no timers. In ms. */
const idleMost = 300;
const lookEvery = 50;

/**
 * Ends this thread's work if it takes too long, even in an infinite loop: another thread tells V8 to terminate it. The terminated code throws
 * nothing and stops, and the thread continues with its next task. Use one per process; it does not keep the process alive.
 */
export class Watchdog {
  /** The time limit, in ms since the epoch; 0 for none. */
  readonly #until = new Float64Array(new SharedArrayBuffer(8));

  constructor() {
    new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData: this.#until.buffer }).unref();
  }

  /**
   * Rejects if `work` has not ended after `limit` ms, or if it waits for something that will not come, that is, if the thread is idle for a while.
   * Idleness distinguishes this from a busy machine.
   */
  async watch<Result>(work: () => Result | Promise<Result>, limit: number): Promise<Result> {
    const began = performance.now();
    const before = performance.eventLoopUtilization();
    let timer: NodeJS.Timeout | undefined;
    this.#until[0] = performance.timeOrigin + began + limit;
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setInterval(() => {
        if (performance.eventLoopUtilization(before).idle > idleMost) reject(new Error("It waits for what does not come."));
        else if (performance.now() - began > limit) reject(new Error(`It had not ended after ${limit} ms.`));
      }, lookEvery);
    });
    // In a separate task, so that terminating it ends nothing else.
    const done = new Promise<Result>((resolve, reject) => {
      setImmediate(() => Promise.resolve().then(work).then(resolve, reject));
    });
    try {
      return await Promise.race([done, tooLong]);
    } finally {
      clearInterval(timer);
      this.#until[0] = 0;
    }
  }
}
