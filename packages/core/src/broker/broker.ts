import { isAskboxError } from "../errors.ts";
import type { Asker } from "../ports/asker.ts";
import type { Desk } from "../ports/desk.ts";
import { type Log, silentLog } from "../ports/logger.ts";
import type { Platform } from "../ports/platform.ts";
import type { SessionStore, StoreChange } from "../ports/store.ts";
import type { Answerer } from "../session/actor.ts";
import type { SessionRecord } from "../session/record.ts";
import type { ScheduledAnswer } from "../session/view.ts";
import { BrokerAsker } from "./asker-port.ts";
import { applyEvent, changeSession } from "./change.ts";
import type { BrokerContext } from "./context.ts";
import { Deadlines } from "./deadlines.ts";
import { BrokerDesk } from "./desk-port.ts";
import { Drafts } from "./drafts.ts";
import { Handovers } from "./handover.ts";
import { PresenceBook } from "./presence.ts";
import { defaultRetention, Retention } from "./retention.ts";
import { Views } from "./views.ts";
import { Waits } from "./waits.ts";
import { Watchers } from "./watchers.ts";

export interface BrokerOptions extends Platform {
  /** Stays the caller's: closing the broker leaves it open. */
  store: SessionStore;
  log?: Log;
  /** How long settled sessions are kept, in ms, at least an hour; null for ever. Default 90 days. */
  retention?: number | null;
}

export interface BrokerStats {
  /** Sessions that are pending. */
  pending: number;
  /** Calls that wait for one. */
  waiting: number;
  /** Desks that watch. */
  watching: number;
}

/** The one implementation of `Asker` and `Desk` over a store. */
export interface Broker {
  /**
   * The port of one token's askers; `close` it when the connection ends. Where connections are made for one request each, `returns` says
   * that the asker is about to wait, over the next one, for what it opened on this.
   */
  asker(owner: string): Asker & { close(how?: { returns?: boolean }): void };
  /** The port of one answerer; `close` it when the surface goes away. */
  desk(by: Answerer): Desk & { close(): void };
  stats(): BrokerStats;
  /** Ends all waits with `ABORTED` and all watches. Sessions stay as they are. */
  close(): Promise<void>;
}

const recoveryPage = 1_000;

/** Starts a broker: what an earlier one left pending is taken up, and what is overdue expires. */
export async function createBroker(options: BrokerOptions): Promise<Broker> {
  const runner = new BrokerRunner(options);
  await runner.recover();
  return runner;
}

class BrokerRunner implements Broker {
  readonly #context: BrokerContext;
  readonly #askers = new Set<BrokerAsker>();
  readonly #desks = new Set<BrokerDesk>();
  readonly #unsubscribe: () => void;

  constructor({ store, clock, ids, digest, log = silentLog, retention = defaultRetention }: BrokerOptions) {
    const deadlines = new Deadlines(clock, (id, overdue) => void this.#expire(id, overdue));
    const presence = new PresenceBook(clock, (id) => void this.#presenceChanged(id));
    const watchers = new Watchers(log);
    const drafts = new Drafts({
      store,
      clock,
      log,
      onChange: (sessionId, draft) => {
        watchers.publish(draft === undefined ? { type: "draft_erased", sessionId } : { type: "draft", draft });
        if (draft !== undefined) void this.#presenceChanged(sessionId);
      },
      send: (sessionId, answer) => this.#sendHeldBack(sessionId, answer),
      closed: (record) => this.#context.views.closed(record),
    });
    this.#context = {
      store,
      clock,
      ids,
      digest,
      log,
      deadlines,
      drafts,
      presence,
      watchers,
      handovers: new Handovers(clock),
      retention: new Retention({ store, clock, log, keepFor: retention }),
      views: new Views({ clock, deadlines, presence, drafts }),
      waits: new Waits(),
    };
    this.#unsubscribe = store.subscribe((change) => void this.#changed(change));
  }

  async recover(): Promise<void> {
    const { store, drafts, deadlines } = this.#context;
    await drafts.recover();
    let cursor: string | undefined;
    do {
      const page = await store.list({
        states: ["pending"],
        order: "oldest",
        limit: recoveryPage,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const { id, context } of page.sessions) deadlines.set(id, context.deadlineAt);
      cursor = page.next;
    } while (cursor !== undefined);
  }

  asker(owner: string): BrokerAsker {
    const asker = new BrokerAsker(this.#context, owner, (closed) => this.#askers.delete(closed));
    this.#askers.add(asker);
    return asker;
  }

  desk(by: Answerer): Desk & { close(): void } {
    const desk = new BrokerDesk(this.#context, by, (closed) => this.#desks.delete(closed));
    this.#desks.add(desk);
    return desk;
  }

  stats(): BrokerStats {
    const { deadlines, presence, watchers } = this.#context;
    return { pending: deadlines.size, waiting: presence.waiting, watching: watchers.size };
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    for (const port of [...this.#askers, ...this.#desks]) port.close();
    const { deadlines, drafts, handovers, presence, retention, watchers } = this.#context;
    for (const part of [deadlines, drafts, handovers, presence, retention, watchers]) part.close();
  }

  /** Every change of a session comes through here, whoever made it. */
  async #changed(change: StoreChange): Promise<void> {
    const { store, log, watchers } = this.#context;
    if (change.revision === 0) {
      this.#forget(change.id);
      watchers.publish({ type: "removed", sessionId: change.id });
      return;
    }
    try {
      const record = change.record ?? (await store.get(change.id));
      if (record !== undefined) this.#take(record);
    } catch (error) {
      log("warn", "A changed session could not be read", { sessionId: change.id, error: String(error) });
    }
  }

  #take(record: SessionRecord): void {
    const { deadlines, presence, views, waits, watchers } = this.#context;
    if (record.state === "pending") deadlines.set(record.id, record.context.deadlineAt);
    else {
      this.#forget(record.id);
      waits.wake(record);
      // Whoever still waits is forgotten when the wait ends.
      if (presence.isDetached(record.id)) presence.forgetAsker(record.id);
    }
    if (watchers.size > 0) watchers.publish({ type: "session", session: views.of(record) });
  }

  #forget(id: string): void {
    const { deadlines, drafts } = this.#context;
    deadlines.remove(id);
    drafts.forget(id);
  }

  async #presenceChanged(id: string): Promise<void> {
    const { store, log, presence, views, watchers, deadlines } = this.#context;
    if (!deadlines.has(id) && presence.isDetached(id)) presence.forgetAsker(id);
    if (watchers.size === 0) return;
    try {
      const record = await store.get(id);
      if (record !== undefined) watchers.publish({ type: "session", session: views.of(record) });
    } catch (error) {
      log("warn", "A session's presence could not be told", { sessionId: id, error: String(error) });
    }
  }

  async #expire(id: string, overdue: number): Promise<void> {
    const { clock, deadlines, drafts, log, store } = this.#context;
    if (drafts.sendNow(id)) return;
    try {
      await changeSession(store, id, (record) => {
        const { deadlineAt } = record.context;
        if (deadlineAt === null) return undefined;
        const hold = drafts.hold(id, overdue);
        if (hold > 0) {
          deadlines.defer(id, hold);
          return undefined;
        }
        // The wall clock may have been put back since; the deadline has passed all the same.
        return applyEvent(record, { type: "DEADLINE_PASSED", at: Math.max(clock.now(), deadlineAt) });
      });
    } catch (error) {
      log("warn", "A deadline could not be written; trying again", { sessionId: id, error: String(error) });
    }
  }

  async #sendHeldBack(id: string, { answers, comment, by }: ScheduledAnswer): Promise<void> {
    const { clock, store } = this.#context;
    try {
      await changeSession(store, id, (record) => applyEvent(record, { type: "ANSWER", answers, comment, by, at: clock.now() }));
    } catch (error) {
      // Its session is gone; there is nothing left to answer.
      if (!isAskboxError(error, "SESSION_NOT_FOUND")) throw error;
    }
  }
}
