/** What the bot must remember across restarts: which thread belongs to which session, and which messages it has processed. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Answer, Question } from "@askbox/core";

export interface Thread {
  /** The id of its first message. */
  id: string;
  sessionId: string;
  questions: readonly Question[];
  /** The answers so far, in the order of the questions. */
  answers: readonly Answer[];
  /** How the session ended, once it has. */
  ending?: string;
}

interface Saved {
  threads: readonly Thread[];
  received: readonly string[];
}

const maxThreads = 1_000;
const maxReceived = 10_000;

/** A file that is rewritten after each change, which is fast enough for what people type. */
export class Book {
  readonly #path: string;
  #kept: Saved;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#kept = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      this.#kept = { threads: [], received: [] };
    }
  }

  find(is: (thread: Thread) => boolean): Thread | undefined {
    return this.#kept.threads.find(is);
  }

  put(thread: Thread): void {
    const others = this.#kept.threads.filter(({ id }) => id !== thread.id);
    this.#save({ ...this.#kept, threads: [...others, thread].slice(-maxThreads) });
  }

  hasHeard(messageId: string): boolean {
    return this.#kept.received.includes(messageId);
  }

  onEvent(messageId: string): void {
    this.#save({ ...this.#kept, received: [...this.#kept.received, messageId].slice(-maxReceived) });
  }

  #save(kept: Saved): void {
    // Written atomically, so that a crash never leaves half a file.
    writeFileSync(`${this.#path}.new`, JSON.stringify(kept), { mode: 0o600 });
    renameSync(`${this.#path}.new`, this.#path);
    this.#kept = kept;
  }
}
