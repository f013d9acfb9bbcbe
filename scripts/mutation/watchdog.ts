import { performance } from "node:perf_hooks";
import { Worker } from "node:worker_threads";

/** A test of the core does no I/O and sets no timer of its own. In ms. */
const idleMost = 300;
const lookEvery = 50;

/**
 * Ends what this thread does when that takes too long, even a loop that never ends: another thread tells V8 to stop it. What was running throws
 * nothing and goes no further, and the thread takes up its next task. One in a process is enough; it keeps no process alive.
 */
export class Watchdog {
  /** Until when, in ms since the epoch; 0 for no limit. */
  readonly #until = new Float64Array(new SharedArrayBuffer(8));

  constructor() {
    new Worker(new URL("./watchdog-thread.ts", import.meta.url), { workerData: this.#until.buffer }).unref();
  }

  /**
   * Rejects when `work` has not ended after `limit` ms, and when it waits for what will not come: with nothing to do for a while. Being idle is
   * what tells that from a machine that is busy with something else.
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
    // In a task of its own, so that ending it ends nothing else.
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
