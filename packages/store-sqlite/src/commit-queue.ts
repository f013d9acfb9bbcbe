import type { ReplaceOptions } from "@askbox/core/stores";
import type { Connection } from "./connection.ts";
import { isFaultOfOne, recordError } from "./sqlite-error.ts";

/** So many operations at most go into one transaction, so that the event loop is not held up for long. */
const largestBatch = 1_000;

/** Milliseconds that a write which nobody waits for is kept, so that it goes with another. */
const unhurriedFor = 20;

interface Waiting {
  run(connection: Connection): void;
  settle(): void;
  reject(error: unknown): void;
}

export interface CommitQueueOptions {
  /** The connection to write with. What it throws rejects all that waits. */
  connection(): Connection;
  /** Told when a transaction failed as a whole; gives the error that everyone in it receives. */
  failed(error: unknown): unknown;
}

/**
 * Writes in transactions that take everything that waits: a disk that needs milliseconds to sync then carries hundreds of
 * writes at once. A write that comes alone is committed in the same turn of the event loop.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #later: NodeJS.Timeout | undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` in the next transaction and resolves with its result once that is on disk; `after` runs first. When `work` fails by
   * its own fault, it alone is rejected and leaves no trace; when the transaction fails, everyone in it is. `unhurried`: for up to 20 ms it waits for
   * another write to go with.
   */
  submit<Result>(
    work: (connection: Connection) => Result,
    after?: (result: Result) => void,
    { unhurried = false }: ReplaceOptions = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result;
      this.#waiting.push({
        run: (connection) => {
          result = work(connection);
        },
        settle: () => {
          after?.(result);
          resolve(result);
        },
        reject,
      });
      if (unhurried) this.#later ??= setTimeout(() => this.#schedule(), unhurriedFor);
      else this.#schedule();
    });
  }

  /** Commits everything that waits, now. */
  flush(): void {
    this.#endLater();
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, largestBatch));
  }

  #endLater(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
  }

  #schedule(): void {
    this.#endLater();
    if (this.#scheduled) return;
    this.#scheduled = true;
    // An immediate comes after all requests that this turn of the event loop has read from their sockets.
    setImmediate(() => {
      this.#scheduled = false;
      this.#commit(this.#waiting.splice(0, largestBatch));
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  #commit(batch: Waiting[]): void {
    let rest = batch;
    while (rest.length > 0) {
      const faulty = this.#attempt(rest);
      if (faulty === undefined) return;
      // Without savepoints, which every sound write would pay for: begin again without the one that cannot be written.
      rest = rest.filter((operation) => operation !== faulty);
    }
  }

  /** One transaction over all of them. Returns the operation at whose fault nothing was committed, if there is one. */
  #attempt(batch: Waiting[]): Waiting | undefined {
    let current: Waiting | undefined;
    let connection: Connection | undefined;
    try {
      connection = this.#options.connection();
      connection.prepare("BEGIN IMMEDIATE").run();
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
      for (const operation of batch) operation.reject(error);
      return undefined;
    }
    for (const operation of batch) operation.settle();
    return undefined;
  }
}

/** SQLite rolls back by itself after some errors; that there is nothing left to undo is as good. */
function rollBack({ database }: Connection): boolean {
  try {
    database.exec("ROLLBACK");
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes("no transaction is active");
  }
}
