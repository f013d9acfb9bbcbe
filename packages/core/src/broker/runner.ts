import { isAskboxError } from "../errors.ts";
import type { Agents } from "../ports/agents.ts";
import type { Desk, WatchFilter } from "../ports/desk.ts";
import type { Grants } from "../ports/grants.ts";
import { silentLog } from "../ports/platform.ts";
import type { SharedState } from "../ports/shared.ts";
import type { AuditLog, StoreChange } from "../ports/store.ts";
import type { Answerer } from "../session/outcome.ts";
import type { SessionRecord } from "../session/record.ts";
import { memoryAgents, memoryGrants } from "../stores/kept-lists.ts";
import { BrokerAsker } from "./asker-port.ts";
import { AuditWriter } from "./audit-writer.ts";
import type { Broker, BrokerOptions, BrokerStats } from "./broker.ts";
import { type BrokerContext, onlyHub } from "./context.ts";
import { Deadlines } from "./deadlines.ts";
import { BrokerDesk } from "./desk-port.ts";
import { Drafts } from "./drafts.ts";
import { expire, sendHeldBack } from "./due.ts";
import { Conversations, isConversation, rememberedScopes } from "./identity.ts";
import { PresenceTracker } from "./presence.ts";
import { defaultRetention, Retention } from "./retention.ts";
import { SessionIndex } from "./session-index.ts";
import { type Hubs, type Peer, readPeerMessage, type SeveralHubsOptions } from "./several-hubs.ts";
import { standingGrants } from "./standing-grants.ts";
import { Views } from "./views.ts";
import { InFlight, Waits } from "./waits.ts";
import { Watchers } from "./watchers.ts";

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
  const runner = new BrokerRunner(options, await joining(options.shared));
  await runner.recover();
  return runner;
}

type JoinHubs = (options: Omit<SeveralHubsOptions, "shared">) => Hubs;

async function joining(shared: SharedState | undefined): Promise<JoinHubs> {
  if (shared === undefined) return () => onlyHub;
  const { severalHubs } = await import("./several-hubs.ts");
  return (options) => severalHubs({ ...options, shared });
}

class BrokerRunner implements Broker {
  readonly id: string;
  readonly #context: BrokerContext;
  readonly #askers = new Set<BrokerAsker>();
  readonly #desks = new Set<BrokerDesk>();
  readonly #peers: Hubs["peers"];
  readonly #unsubscribe: () => void;

  constructor(options: BrokerOptions, join: JoinHubs) {
    const { store, about = () => ({}), clock, ids, digest, log = silentLog, retention = defaultRetention } = options;
    const { agents = memoryAgents(), grants = memoryGrants(), realPath, files, images, clientForms = false } = options;
    const deadlines = new Deadlines(clock, (id, overdue) => void expire(this.#context, id, overdue));
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
    const self = ids.session();
    this.id = self;
    const { peers, leases } = join({
      clock,
      log,
      self,
      about,
      read: readPeerMessage,
      isNeeded: (id) => !presence.isDetached(id) || inFlight.has(id),
      factsOf: (id) => conversations.factsOf(id) ?? presence.factsOf(id),
      sessions: () => [...presence.sessions(), ...conversations.names()],
      onPresence: (changed) => {
        for (const id of changed) {
          if (isConversation(id)) continue;
          // Callers that were about to wait here now wait there.
          if (peers.of(id).some(({ isWaiting }) => isWaiting)) presence.unclaim(id);
          this.#presenceChanged(id, "people");
        }
      },
      onDrafts: (changed) => {
        for (const id of changed) void this.#quietly("A draft from another hub could not be read", () => drafts.onChanged(id));
      },
      onUncertain: () => void this.#quietly("The state left by other hubs could not be read", () => drafts.recover()),
    });
    const recorded = { store, audit: new AuditWriter(store, digest), onSettled: options.onSettled ?? (() => {}) };
    const watchers = new Watchers(log);
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
      sessions: new SessionIndex({ store, isAlone: options.shared === undefined }),
      views: new Views({ clock, deadlines, presence, drafts }),
      waits: new Waits(),
      clientForms,
    };
    this.#peers = peers;
    this.#unsubscribe = store.subscribe((change) => void this.#changed(change));
  }

  async recover(): Promise<void> {
    const { store, drafts, deadlines, sessions, waits } = this.#context;
    await this.#peers.start();
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

  get agents(): Agents {
    return this.#context.agents;
  }

  get grants(): Grants {
    return this.#context.grants;
  }

  get audit(): AuditLog {
    return this.#context.store.audit;
  }

  async report(sessionId: string, report: string): Promise<void> {
    const { addReport } = await import("./loaded-late.ts");
    return addReport(this.#context, sessionId, report);
  }

  stats(): BrokerStats {
    const { deadlines, presence, watchers } = this.#context;
    return { pending: deadlines.size, waiting: presence.waiting, watching: watchers.size };
  }

  peers(): readonly Peer[] {
    return this.#peers.list();
  }

  async isAlive(id: string): Promise<boolean> {
    // Its claims must be removed too, or it would still count as having an asker.
    return this.#peers.list().some((peer) => peer.id === id) || this.#peers.isAlive(id);
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
    await this.#peers.close();
    await this.#context.leases.close();
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

  async #quietly(complaint: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#context.log("warn", complaint, { error: String(error) });
    }
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
}

const wantsPresence = ({ presence = false }: WatchFilter): boolean => presence;
