import type { CancelTimer, Clock } from "@askbox/core";
import type { ReplaceOptions } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";
import { isBusy, isFaultOfOne, recordError } from "./sqlite-error.ts";

/** The maximum number of operations per transaction, so that the event loop is not blocked for long. */
const maxBatch = 1_000;

/** How long a write waits at most for others to share its transaction, in ms. */
const maxWait = 20;

/** Writes that came in several turns of the event loop are committed after this many turns that brought no other one. */
const emptyTurns = 16;

/** How long a write waits for another process's lock, in ms. */
const maxLocked = 5_000;

/** The time between two tries to begin a transaction while another process holds the lock, in ms. */
const lockedDelay = 25;

interface QueuedWrite {
  /** When it came, in monotonic ms. */
  readonly since: number;
  run(connection: Connection): void;
  settle(): void;
  reject(error: unknown): void;
}

/** Unlike the core's own clock, its timers keep the process alive: somebody may wait for the write. */
const processClock: Pick<Clock, "monotonic" | "setTimer"> = {
  monotonic: () => performance.now(),
  setTimer(delay, callback) {
    const timer = setTimeout(callback, delay);
    return () => clearTimeout(timer);
  },
};

export interface CommitQueueOptions {
  /** The connection to write with. An error that it throws rejects all waiting operations. */
  connection(): Connection;
  /** Called when a whole transaction failed; returns the error for everyone in it. */
  failed(error: unknown): unknown;
  /** Default the process's. */
  clock?: Pick<Clock, "monotonic" | "setTimer"> | undefined;
}

/**
 * Batches all waiting writes into one transaction: a disk that takes milliseconds to sync can then handle hundreds of writes at once. A
 * single write is committed in the same turn of the event loop; several wait for others that come in the next turns, up to 20 ms.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #clock: Pick<Clock, "monotonic" | "setTimer">;
  #waiting: QueuedWrite[] = [];
  /** How many writes came that somebody waits for. */
  #hurried = 0;
  #scheduled = false;
  #cancelLater: CancelTimer | undefined;
  /** Set while another process holds the lock. */
  #cancelRetry: CancelTimer | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? processClock;
  }

  /**
   * Runs `work` in the next transaction and resolves with its result once it is on disk; `after` runs first. If `work` itself fails, only
   * it is rejected and rolled back; if the transaction fails, everyone in it is rejected. `unhurried`: waits up to 20 ms for another write
   * to share the transaction.
   */
  submit<Result>(
    work: (connection: Connection) => Result,
    after?: (result: Result) => void,
    { unhurried = false }: ReplaceOptions = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      this.#waiting.push({
        since: this.#clock.monotonic(),
        run: (connection) => {
          result = work(connection);
        },
        settle: () => {
          after?.(result);
          resolve(result);
        },
        reject,
      });
      if (unhurried) {
        this.#cancelLater ??= this.#clock.setTimer(maxWait, () => this.#schedule());
        return;
      }
      this.#hurried += 1;
      this.#schedule();
    });
  }

  /** Commits everything that is waiting. If another process holds the lock, it blocks for as long as the connection waits for one. */
  flush(): void {
    this.#endLater();
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, maxBatch), { blocking: true });
  }

  #endLater(): void {
    this.#cancelLater?.();
    this.#cancelLater = undefined;
  }

  #schedule(): void {
    this.#endLater();
    if (this.#scheduled || this.#cancelRetry !== undefined) return;
    this.#scheduled = true;
    let seen = this.#hurried;
    let turnsLeft = 0;
    const commit = () => {
      turnsLeft = this.#hurried > seen ? emptyTurns : turnsLeft - 1;
      seen = this.#hurried;
      if (turnsLeft > 0 && this.#waiting.length < maxBatch && this.#clock.monotonic() - (this.#waiting[0]?.since ?? 0) < maxWait) {
        setImmediate(commit);
        return;
      }
      this.#scheduled = false;
      this.#commit(this.#waiting.splice(0, maxBatch));
      if (this.#waiting.length > 0) this.#schedule();
    };
    // An immediate runs after all requests that this turn of the event loop has read from their sockets.
    setImmediate(commit);
  }

  /** `blocking`: waits for another process's lock in this turn of the event loop, instead of trying again later. */
  #commit(batch: QueuedWrite[], { blocking = false } = {}): void {
    let rest = batch;
    while (rest.length > 0) {
      const faulty = this.#attempt(rest, blocking);
      if (faulty === undefined) return;
      // Savepoints would slow down every valid write, so start again without the failed one.
      rest = rest.filter((operation) => operation !== faulty);
    }
  }

  /** One transaction over all operations. Returns the operation that made it fail, if any; nothing was committed in that case. */
  #attempt(batch: QueuedWrite[], blocking: boolean): QueuedWrite | undefined {
    let current: QueuedWrite | undefined;
    let connection: Connection | undefined;
    try {
      connection = this.#options.connection();
      connection.begin({ blocking });
      for (const operation of batch) {
        current = operation;
        operation.run(connection);
      }
      current = undefined;
      connection.prepare("COMMIT").run();
    } catch (thrown) {
      const undone = connection !== undefined && rollBack(connection);
      if (undone && current !== undefined && isFaultOfOne(thrown)) {
        current.reject(recordError(thrown));
        return current;
      }
      const error = this.#options.failed(thrown);
      const kept = undone && !blocking && isBusy(thrown) ? this.#tryAgain(batch) : [];
      for (const operation of batch) if (!kept.includes(operation)) operation.reject(error);
      return undefined;
    }
    for (const operation of batch) operation.settle();
    return undefined;
  }

  /** Another process holds the lock. Returns the writes that can wait longer; they are tried again, before those that came later. */
  #tryAgain(batch: readonly QueuedWrite[]): readonly QueuedWrite[] {
    const now = this.#clock.monotonic();
    const kept = batch.filter(({ since }) => now - since < maxLocked);
    this.#waiting.unshift(...kept);
    if (this.#waiting.length > 0) {
      this.#cancelRetry = this.#clock.setTimer(lockedDelay, () => {
        this.#cancelRetry = undefined;
        this.#schedule();
      });
    }
    return kept;
  }
}

/** SQLite rolls back automatically after some errors, so having nothing to undo is fine. */
function rollBack({ database }: Connection): boolean {
  try {
    database.exec("ROLLBACK");
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes("no transaction is active");
  }
}
