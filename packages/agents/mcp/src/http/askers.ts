import type { Asker, CancelTimer, Clock } from "@askbox/core";
import type { Owner } from "./servers.ts";

/** An asker of one owner; `close` ends its waits. If it `returns`, what it opened stays claimed. */
export type OwnedAsker = Asker & { close?(how?: { returns?: boolean }): void };

/** Milliseconds without a call after which an asker is closed; the next call gets a new one. Until then its conversation is connected. */
const keptFor = 120_000;

/** The asker of each owner, agent and conversation, created when it first asks. */
export interface Askers {
  of(owner: Owner, conversation?: string): Asker;
  /** Ends the waits of one owner. */
  end(owner: string): void;
  /** Ends the waits of all. */
  close(): void;
}

interface Entry {
  owner: string;
  port: OwnedAsker;
  /** What callers get: it stays open while one of its calls runs. */
  asker: Asker;
  calls: number;
  cancel: CancelTimer;
}

export function createAskers(asker: OwnedAsker | ((owner: Owner) => OwnedAsker), clock: Pick<Clock, "setTimer">): Askers {
  if (typeof asker !== "function") return { of: () => asker, end: () => {}, close: () => asker.close?.() };
  const askers = new Map<string, Entry>();
  const drop = (key: string, how?: { returns: boolean }) => {
    const kept = askers.get(key);
    askers.delete(key);
    kept?.cancel();
    kept?.port.close?.(how);
  };
  const create = (key: string, owner: Owner): Entry => {
    const port = asker(owner);
    const news = port.news?.bind(port);
    const during = <Result>(call: Promise<Result>): Promise<Result> => {
      kept.calls += 1;
      kept.cancel();
      return call.finally(() => {
        kept.calls -= 1;
        later(key, kept);
      });
    };
    const kept: Entry = {
      owner: owner.owner,
      port,
      calls: 0,
      cancel: () => {},
      asker: {
        ask: (...args) => during(port.ask(...args)),
        resume: (...args) => during(port.resume(...args)),
        withdraw: (...args) => during(port.withdraw(...args)),
        collect: (...args) => during(port.collect(...args)),
        news: news && ((...args) => during(news(...args))),
        forms: port.forms,
      },
    };
    askers.set(key, kept);
    return kept;
  };
  const later = (key: string, kept: Entry) => {
    kept.cancel();
    if (kept.calls > 0 || askers.get(key) !== kept) return;
    kept.cancel = clock.setTimer(keptFor, () => drop(key, { returns: true }));
  };
  return {
    of(owner, conversation) {
      const key = JSON.stringify([owner.owner, owner.agentId, conversation]);
      const kept = askers.get(key) ?? create(key, owner);
      later(key, kept);
      return kept.asker;
    },
    end(owner) {
      for (const [key, kept] of [...askers]) if (kept.owner === owner) drop(key);
    },
    close() {
      for (const key of [...askers.keys()]) drop(key);
    },
  };
}

/** Agents with requests in progress. One may have several; agents without a session count by their requests. */
export class OpenAgents {
  readonly #onCount: ((count: number) => void) | undefined;
  readonly #open = new Map<unknown, number>();

  constructor(onCount: ((count: number) => void) | undefined) {
    this.#onCount = onCount;
  }

  /** Counts the agent until the work ends. */
  async during<Result>(agent: unknown, work: Promise<Result>): Promise<Result> {
    this.#add(agent, 1);
    try {
      return await work;
    } finally {
      this.#add(agent, -1);
    }
  }

  #add(agent: unknown, change: 1 | -1): void {
    const before = this.#open.size;
    const things = (this.#open.get(agent) ?? 0) + change;
    if (things > 0) this.#open.set(agent, things);
    else this.#open.delete(agent);
    if (this.#open.size !== before) this.#onCount?.(this.#open.size);
  }
}
