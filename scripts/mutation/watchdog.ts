import { Worker } from "node:worker_threads";

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

  /** Rejects when `work` has not ended after `limit` ms. */
  async watch<Result>(work: () => Result | Promise<Result>, limit: number): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    this.#until[0] = performance.timeOrigin + performance.now() + limit;
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`It had not ended after ${limit} ms.`)), limit);
    });
    // In a task of its own, so that ending it ends nothing else.
    const done = new Promise<Result>((resolve, reject) => {
      setImmediate(() => Promise.resolve().then(work).then(resolve, reject));
    });
    try {
      return await Promise.race([done, tooLong]);
    } finally {
      clearTimeout(timer);
      this.#until[0] = 0;
    }
  }
}
