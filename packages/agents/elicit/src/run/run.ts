import { AskboxError } from "@askbox/core";
import type { ElicitQuestion } from "../question/question.ts";
import { type ElicitContext, runOf } from "../sdk.ts";
import type { StoredAnswer } from "./record.ts";

/** Why a run ends without the handler's result. */
export type Reason =
  /** The call's result must ask the question. */
  | { kind: "ask"; via: "client" | "model"; asked: string; question: ElicitQuestion }
  /** The answer of this run is not valid, and may be sent again. */
  | { kind: "refuse"; message: string };

/** Where a run stops, and why. */
export interface Suspension {
  index: number;
  reason: Reason;
}

export interface Seed {
  answers?: readonly StoredAnswer[];
  done?: Readonly<Record<string, { value?: unknown }>>;
}

const never = new Promise<never>(() => {});

/**
 * One run of a tool's handler: the answers of earlier runs in order, answers that arrive during the run, and the results of `once`. A
 * question that cannot be answered during the run suspends it: the handler's promise never resolves, and the tool is run again with the
 * answer.
 */
export class Run {
  readonly answers: (StoredAnswer | undefined)[];
  readonly #done: Map<string, { value?: unknown }>;
  readonly #memos = new Map<string, Promise<unknown>>();
  readonly #suspended = Promise.withResolvers<Suspension>();
  /** Questions that cannot be answered during the run, and follow one that still may be. */
  readonly #deferred = new Map<number, Reason>();
  #pass: unknown;
  #position = 0;

  constructor({ answers = [], done = {} }: Seed = {}) {
    this.answers = [...answers];
    this.#done = new Map(Object.entries(done));
  }

  /** Resolves when the run is suspended. */
  get suspended(): Promise<Suspension> {
    return this.#suspended.promise;
  }

  get done(): Record<string, { value?: unknown }> {
    return Object.fromEntries(this.#done);
  }

  /** The index of the next question. A handler that the SDK restarted, which is another pass, counts from 0. */
  next(pass: unknown): number {
    if (this.#pass !== pass) {
      this.#pass = pass;
      this.#position = 0;
    }
    this.#position += 1;
    return this.#position - 1;
  }

  record(index: number, answer: StoredAnswer): void {
    this.answers[index] = answer;
    this.#suspendIfDue();
  }

  /** Suspends the run once all earlier questions are answered. Never resolves. */
  suspend(index: number, reason: Reason): Promise<never> {
    this.#deferred.set(index, reason);
    this.#suspendIfDue();
    return never;
  }

  /** Suspends the run at once. Never resolves. */
  suspendNow(reason: Reason): Promise<never> {
    this.#suspended.resolve({ index: this.answers.length, reason });
    return never;
  }

  /** The result of `work` under this name, from an earlier run if there is one. */
  once<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
    const known = this.#done.get(name);
    if (known !== undefined) return Promise.resolve(known.value as Result);
    const running = this.#memos.get(name) ?? this.#remember(name, work);
    this.#memos.set(name, running);
    return running as Promise<Result>;
  }

  /** Resolves when no `once` is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#memos.values());
  }

  async #remember(name: string, work: () => unknown): Promise<unknown> {
    try {
      const text = JSON.stringify(await work());
      // This run gets the same as a later run: plain JSON.
      const kept = text === undefined ? {} : { value: JSON.parse(text) as unknown };
      this.#done.set(name, kept);
      return "value" in kept ? kept.value : undefined;
    } finally {
      this.#memos.delete(name);
    }
  }

  #suspendIfDue(): void {
    let open = 0;
    while (this.answers[open] !== undefined) open += 1;
    const reason = this.#deferred.get(open);
    if (reason !== undefined) this.#suspended.resolve({ index: open, reason });
  }
}

/**
 * Runs `work` once per tool call, however often the tool is run again for an answer; later runs get the first result, as plain JSON.
 * Failures are retried. Names belong to the call; the same name means the same work. Throws `VALIDATION` outside a tool of
 * `withElicitation`.
 */
export function once<Result>(ctx: ElicitContext, name: string, work: () => Result | Promise<Result>): Promise<Result> {
  const run = runOf(ctx);
  if (run instanceof Run) return run.once(name, work);
  return Promise.reject(
    new AskboxError("VALIDATION", "once() needs the context of a tool's handler on a server that withElicitation has set up."),
  );
}
