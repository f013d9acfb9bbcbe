import { isAskboxError } from "../errors.ts";
import type { Agents } from "../ports/agents.ts";
import type { Desk, WatchFilter } from "../ports/desk.ts";
import type { Grants } from "../ports/grants.ts";
import { silentLog } from "../ports/platform.ts";
import type { RanLog } from "../ports/ran.ts";
import type { AuditLog, StoreChange } from "../ports/store.ts";
import type { BegunWaking } from "../ports/waking.ts";
import type { Answerer } from "../session/outcome.ts";
import type { SessionRecord, Waking } from "../session/record.ts";
import type { WakeOptions } from "../session/wakeable.ts";
import { memoryAgents, memoryGrants } from "../stores/kept-lists.ts";
import { BrokerAsker } from "./asker-port.ts";
import { AuditWriter } from "./audit-writer.ts";
import type { Broker, BrokerOptions, BrokerStats } from "./broker.ts";
import { type BrokerContext, noRan, onlyHub } from "./context.ts";
import { Deadlines } from "./deadlines.ts";
import { BrokerDesk } from "./desk-port.ts";
import { Drafts } from "./drafts.ts";
import { expire, sendHeldBack } from "./due.ts";
import { Conversations, isConversation, rememberedScopes } from "./identity.ts";
import { PresenceTracker } from "./presence.ts";
import { defaultRetention, Retention } from "./retention.ts";
import { SessionIndex } from "./session-index.ts";
import type { Hubs, HubsOptions, Peer } from "./several-hubs.ts";
import { standingGrants } from "./standing-grants.ts";
import { Views } from "./views.ts";
import { InFlight, Waits } from "./waits.ts";
import { Watchers } from "./watchers.ts";

/**
 * The broker brings askers and people together over a store. What is true is in the store; in memory is only what lasts as long as the
 * process: who waits, who looks, which timers run.
 *
 * 1. It starts: `recover` reads what is pending, with its deadlines and drafts.
 * 2. A port is opened: `asker` for the agents of a token, `desk` for a person. Both write to the store by compare-and-set (`change.ts`).
 * 3. The store publishes each change, of whichever process; `#changed` takes it. A deadline is set or removed, a waiting call wakes, and
 *    watching desks see the session. An answer reaches its agent this way and no other, also if it was given at another hub.
 * 4. What the store doesn't hold has changed, such as who is there or a draft: `#presenceChanged` and `#viewChanged` show it to desks.
 * 5. It ends: `close` ends waits and watches. Sessions stay as they are.
 *
 * What can go wrong:
 * - The process is killed. The next one recovers; what was halfway, such as one session replacing another, is finished then.
 * - A change comes without its session, and the store can't be read: it is logged. The index of sessions doubts itself from then on, and
 *   calls that wait find out with their next read.
 * - A deadline can't be written: `expire` logs it, and the deadline is due again a second later.
 * - Other hubs have news, or may have had some that was missed: their presence is in `#hubs`, and drafts are read again.
 */

/** Sessions that recovery reads at a time. */
const recoveryPage = 1_000;

/**
 * Starts a broker: loads what an earlier one left pending, and expires what is overdue.
 *
 * @example
 * ```ts
 * import { createBroker, memoryStore, standardPlatform } from "@askbox/core";
 *
 * const broker = await createBroker({ store: memoryStore(), ...standardPlatform(globalThis) });
 * const asker = broker.asker("my-agents");
 * const desk = broker.desk({ surface: "web", name: "Ada" });
 * ```
 */
export async function createBroker(options: BrokerOptions): Promise<Broker> {
  const runner = new BrokerRunner(options);
  await runner.recover();
  return runner;
}

class BrokerRunner implements Broker {
  readonly id: string;
  readonly #context: BrokerContext;
  readonly #hubs: Hubs;
  readonly #askers = new Set<BrokerAsker>();
  readonly #desks = new Set<BrokerDesk>();
  readonly #unsubscribe: () => void;

  /** Puts the parts together. None calls back before `recover`: only timers, the store and other hubs make them. */
  constructor(options: BrokerOptions) {
    const { store, about = () => ({}), clock, ids, digest, log = silentLog, hubs, retention = defaultRetention } = options;
    const { agents = memoryAgents(), grants = memoryGrants(), ran = noRan, realPath, files, images, clientForms = false } = options;
    this.id = ids.session();
    const recorded = { store, audit: new AuditWriter(store, digest), onSettled: options.onSettled ?? (() => {}) };
    this.#hubs = hubs === undefined ? onlyHub : hubs({ ...this.#newsForHubs(), clock, log, self: this.id, about });
    const { peers, leases } = this.#hubs;

    // Who is there, here and at other hubs.
    const presence = new PresenceTracker({
      clock,
      onChange: (id, who) => this.#presenceChanged(id, who),
      onFacts: (id) => {
        peers.presenceChanged(id);
        leases.release(id);
      },
      elsewhere: (id) => peers.of(id),
    });
    const conversations = new Conversations({ onChange: (name) => peers.presenceChanged(name), elsewhere: (name) => peers.of(name) });
    const inFlight = new InFlight(clock, (id) => leases.release(id));
    const watchers = new Watchers(log);

    // What happens by itself: a deadline passes, an answer that could be undone is sent.
    const deadlines = new Deadlines(clock, (id, overdue) => void expire(this.#context, id, overdue));
    const drafts = new Drafts({
      ...recorded,
      clock,
      log,
      onChange: (sessionId, draft) => {
        watchers.publish(draft === undefined ? { type: "draft_erased", sessionId } : { type: "draft", draft });
        if (draft !== undefined) void this.#viewChanged(sessionId);
      },
      isPending: (sessionId) => deadlines.has(sessionId),
      onSaved: (sessionId) => peers.draftChanged(sessionId),
      send: (sessionId, answer) => sendHeldBack(this.#context, sessionId, answer),
      closed: (record) => this.#context.views.closed(record),
    });

    this.#context = {
      ...recorded,
      clock,
      ids,
      digest,
      log,
      agents,
      grants: standingGrants(grants, clock, log),
      ran,
      files,
      images,
      realPath,
      conversations,
      leases,
      deadlines,
      drafts,
      presence,
      watchers,
      inFlight,
      retention: new Retention({ store, clock, log, keepFor: retention }),
      scopeOf: rememberedScopes(digest),
      sessions: new SessionIndex({ store, isAlone: hubs === undefined }),
      views: new Views({ clock, deadlines, presence, drafts }),
      waits: new Waits(),
      clientForms,
      waker: options.waker,
    };
    this.#unsubscribe = store.subscribe((change) => void this.#changed(change));
  }

  /** What the other hubs are told of this one, and what their news does here. */
  #newsForHubs(): Pick<HubsOptions, "isNeeded" | "factsOf" | "sessions" | "onPresence" | "onDrafts" | "onUncertain"> {
    return {
      isNeeded: (id) => !this.#context.presence.isDetached(id) || this.#context.inFlight.has(id),
      factsOf: (id) => this.#context.conversations.factsOf(id) ?? this.#context.presence.factsOf(id),
      sessions: () => [...this.#context.presence.sessions(), ...this.#context.conversations.names()],
      onPresence: (changed) => {
        for (const id of changed) {
          if (isConversation(id)) continue;
          // Callers that were about to wait here now wait there.
          if (this.#hubs.peers.of(id).some(({ isWaiting }) => isWaiting)) this.#context.presence.unclaim(id);
          this.#presenceChanged(id, "people");
        }
      },
      onDrafts: (changed) => {
        for (const id of changed)
          void this.#quietly("A draft from another hub could not be read", () => this.#context.drafts.onChanged(id));
      },
      onUncertain: () => void this.#quietly("The state left by other hubs could not be read", () => this.#context.drafts.recover()),
    };
  }

  /** Reads what is pending, whoever left it. */
  async recover(): Promise<void> {
    const { store, drafts, deadlines, sessions, waits } = this.#context;
    await this.#hubs.peers.start();
    const replacing: SessionRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({
        states: ["pending"],
        order: "oldest",
        limit: recoveryPage,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const record of page.sessions) {
        sessions.changed(record, deadlines.has(record.id));
        deadlines.set(record.id, record.context.deadlineAt);
        waits.wake(record);
        if (record.replaces !== undefined) replacing.push(record);
      }
      cursor = page.next;
    } while (cursor !== undefined);
    await drafts.recover();
    // An earlier hub may have been killed halfway.
    if (replacing.length === 0) return;
    const { settleReplaced } = await import("./loaded-late.ts");
    for (const record of replacing) await settleReplaced(this.#context, record);
  }

  asker(owner: string, { shared = false }: { shared?: boolean } = {}): BrokerAsker {
    const asker = new BrokerAsker(this.#context, { owner, shared }, (closed) => this.#askers.delete(closed));
    this.#askers.add(asker);
    return asker;
  }

  desk(by: Answerer): Desk & { close(): void } {
    const desk = new BrokerDesk(this.#context, by, (closed) => this.#desks.delete(closed));
    this.#desks.add(desk);
    return desk;
  }

  /** Called for every change of a session, by any process. */
  async #changed(change: StoreChange): Promise<void> {
    const { store, log, sessions, watchers } = this.#context;
    if (change.revision === 0) {
      this.#forget(change.id);
      sessions.removed();
      watchers.publish({ type: "removed", sessionId: change.id });
      return;
    }
    if (change.record === undefined) sessions.doubt();
    try {
      const record = change.record ?? (await store.get(change.id));
      if (record !== undefined) this.#take(record);
    } catch (error) {
      log("warn", "A changed session could not be read", { sessionId: change.id, error: String(error) });
    }
  }

  #take(record: SessionRecord): void {
    const { deadlines, presence, sessions, views, waits, watchers } = this.#context;
    sessions.changed(record, deadlines.has(record.id));
    waits.wake(record);
    if (record.state === "pending") deadlines.set(record.id, record.context.deadlineAt);
    else {
      this.#forget(record.id);
      // Callers that still wait are removed when the wait ends.
      if (presence.isDetached(record.id)) presence.forgetAsker(record.id);
    }
    if (watchers.size > 0) watchers.publish({ type: "session", session: views.of(record) });
  }

  #forget(id: string): void {
    const { deadlines, drafts, waits } = this.#context;
    deadlines.remove(id);
    drafts.forget(id);
    waits.forget(id);
  }

  /** A watcher that wants presence by itself costs no read. What its asker does at a settled session concerns it no more. */
  #presenceChanged(id: string, who: "asker" | "people"): void {
    const { deadlines, presence, watchers } = this.#context;
    const isPending = deadlines.has(id);
    if (!isPending && presence.isDetached(id)) presence.forgetAsker(id);
    if (isPending) watchers.publish({ type: "presence", sessionId: id, presence: presence.of(id) }, wantsPresence);
    void this.#viewChanged(id, !isPending && who === "people" ? undefined : (filter) => !wantsPresence(filter));
  }

  /** What the view shows besides the record has changed. */
  async #viewChanged(id: string, isFor: (filter: WatchFilter) => boolean = () => true): Promise<void> {
    const { store, log, views, watchers } = this.#context;
    if (!watchers.some(isFor)) return;
    try {
      const record = await store.get(id);
      if (record !== undefined) watchers.publish({ type: "session", session: views.of(record) }, isFor);
    } catch (error) {
      log("warn", "A session's presence could not be published", { sessionId: id, error: String(error) });
    }
  }

  async #quietly(complaint: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#context.log("warn", complaint, { error: String(error) });
    }
  }

  get agents(): Agents {
    return this.#context.agents;
  }

  get grants(): Grants {
    return this.#context.grants;
  }

  get ran(): RanLog {
    return this.#context.ran;
  }

  get audit(): AuditLog {
    return this.#context.store.audit;
  }

  async report(sessionId: string, report: string): Promise<void> {
    const { addReport } = await import("./loaded-late.ts");
    return addReport(this.#context, sessionId, report);
  }

  async useOverruled(sessionId: string, report: string): Promise<boolean> {
    const { useOverruled } = await import("./loaded-late.ts");
    return useOverruled(this.#context, sessionId, report);
  }

  async beginWaking(...waking: [id: string, how: Waking["how"], options?: WakeOptions]): Promise<BegunWaking | undefined> {
    const { beginWaking } = await import("./loaded-late.ts");
    return beginWaking(this.#context, ...waking);
  }

  stats(): BrokerStats {
    const { deadlines, presence, watchers } = this.#context;
    return { pending: deadlines.size, waiting: presence.waiting, watching: watchers.size };
  }

  peers(): readonly Peer[] {
    return this.#hubs.peers.list();
  }

  async isAlive(id: string): Promise<boolean> {
    // Its claims must be removed too, or it would still count as having an asker.
    return this.#hubs.peers.list().some((peer) => peer.id === id) || this.#hubs.peers.isAlive(id);
  }

  async withdrawLost(id: string, reason: string): Promise<boolean> {
    const { store, presence, leases } = this.#context;
    if (!presence.isDetached(id) || !(await leases.claim(id))) return false;
    try {
      const owner = (await store.get(id))?.owner;
      if (owner === undefined) return false;
      const port = this.asker(owner, { shared: true });
      // A session that has timed out, or whose answer could still be undone, is already settled.
      const withdrawn = port.withdraw(id, { reason }).then(
        () => true,
        (error: unknown) => {
          if (isAskboxError(error, "SESSION_CLOSED") || isAskboxError(error, "CONFLICT")) return false;
          throw error;
        },
      );
      return await withdrawn.finally(() => port.close());
    } finally {
      leases.release(id);
    }
  }

  async withdrawAll(owner: string, reason: string): Promise<void> {
    const { store } = this.#context;
    const port = this.asker(owner, { shared: true });
    try {
      for (let cursor: string | undefined; ; ) {
        const page = await store.list({ states: ["pending"], owner, limit: 50, cursor });
        for (const { id } of page.sessions) {
          await port.withdraw(id, { reason }).catch((error: unknown) => {
            if (!isAskboxError(error, "SESSION_CLOSED") && !isAskboxError(error, "CONFLICT")) throw error;
          });
        }
        cursor = page.next;
        if (cursor === undefined) return;
      }
    } finally {
      port.close();
    }
  }

  released(): Promise<void> {
    return this.#context.leases.written();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    for (const port of [...this.#askers, ...this.#desks]) port.close();
    const { deadlines, drafts, inFlight, presence, retention, watchers } = this.#context;
    for (const part of [deadlines, drafts, inFlight, presence, retention, watchers]) part.close();
    await this.#hubs.peers.close();
    await this.#hubs.leases.close();
  }
}

const wantsPresence = ({ presence = false }: WatchFilter): boolean => presence;
