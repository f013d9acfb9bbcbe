import * as z from "zod";
import { AskboxError } from "../errors.ts";
import type { CancelTimer, Clock, Log } from "../ports/platform.ts";
import type { SharedState } from "../ports/shared.ts";
import { presenceSchema } from "../session/view.ts";
import { Leases, type LeasesOptions } from "./leases.ts";

/**
 * Several hubs over one store, acting as one. What a single broker knows from its own memory, each of them has to learn from the others:
 * who waits and who has a session open (`Peers`), and which of them holds a session, so that only one delivers its outcome (`Leases`).
 *
 * Hubs tell each other over the shared state: what has changed, numbered, and a heartbeat every 2 s.
 *
 * What can go wrong:
 * - A message is missed, which its number shows: the complete state of that hub is requested.
 * - A hub is killed: after 8 s without a heartbeat it counts as dead. Its presence is dropped, its leases are anybody's, and drafts are read
 *   again, since it may have died before it told of one.
 * - The shared state can't be reached: each hub goes on alone, and tries again with the next heartbeat. The others take it for dead by then,
 *   so it writes its leases again when it is back.
 * - Clocks differ: only deadlines are wall time between hubs; a difference of more than 2 s is logged.
 */

/** The other hubs over the same store, and which of them hold which sessions. */
export interface Hubs {
  readonly peers: Pick<Peers, keyof Peers>;
  readonly leases: Pick<Leases, keyof Leases>;
}

/** What a broker tells the other hubs, and learns from them. */
export type HubsOptions = Omit<PeersOptions, "shared" | "onExpired" | "onBeat"> & Pick<LeasesOptions, "isNeeded">;

/** Joins a broker to the other hubs. */
export type JoinHubs = (options: HubsOptions) => Hubs;

/**
 * For `BrokerOptions.hubs`: brokers over the same store and the same shared state act as one. The caller owns the state, and closes it after
 * the broker.
 *
 * @example
 * ```ts
 * import { createBroker, memoryStore, standardPlatform } from "@askbox/core";
 * import { severalHubs } from "@askbox/core/hubs";
 * import { sharedMemory } from "@askbox/core/stores";
 *
 * const platform = standardPlatform(globalThis);
 * const shared = sharedMemory(platform.clock);
 * const store = memoryStore();
 * const hub = () => createBroker({ ...platform, store, hubs: severalHubs(shared.open()) });
 * const [one, other] = await Promise.all([hub(), hub()]);
 * ```
 */
export function severalHubs(shared: SharedState): JoinHubs {
  return (options) => {
    const peers = new Peers({
      ...options,
      shared,
      onExpired: () => void leases.renew(),
      onBeat: (isRenewal) => void (isRenewal ? leases.renew() : leases.catchUp()),
    });
    const leases = new Leases({ ...options, shared, isAlive: (hub) => peers.isAlive(hub) });
    return { peers, leases };
  };
}

/** A hub's presence at a session. */
const presenceFactsSchema = presenceSchema.extend({
  /** A call is waiting, rather than about to wait. */
  isWaiting: z.boolean(),
});
export type PresenceFacts = z.infer<typeof presenceFactsSchema>;

const presence = z.array(z.tuple([z.string(), presenceFactsSchema.nullable()]));

/** Messages between hubs; unknown types from newer hubs are ignored. */
const peerMessageSchema = z.object({
  from: z.string(),
  /** Incremented with each message of this hub. */
  seq: z.int(),
  body: z.discriminatedUnion("type", [
    /** A hub has started. */
    z.object({ type: z.literal("hello") }),
    z.object({ type: z.literal("alive"), about: z.record(z.string(), z.string()), now: z.number() }),
    /** What has changed. */
    z.object({ type: z.literal("news"), presence, drafts: z.array(z.string()) }),
    /** The complete state of this hub, in parts; the first replaces the earlier state. */
    z.object({ type: z.literal("all"), isFirst: z.boolean(), presence }),
    /** Requests the complete state of one hub. */
    z.object({ type: z.literal("ask"), of: z.string() }),
    /** A hub has ended. */
    z.object({ type: z.literal("bye") }),
  ]),
});
export type PeerMessage = z.infer<typeof peerMessageSchema>;

export function readPeerMessage(text: string): PeerMessage | undefined {
  try {
    return peerMessageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** How often a hub sends a heartbeat, in ms. */
const beatEvery = 2_000;
/** A hub that sent nothing for this time, in ms, counts as dead: its waits and presence are dropped. */
const deadAfter = 8_000;
/** How often a hub's complete state is requested, in ms. */
const askEvery = 1_000;
/** Sessions per message. */
const batch = 2_000;
/** Leases are renewed after this many heartbeats: every hour. */
const renewEvery = 1_800;
/** How much the clocks of hubs may differ, in ms, before a warning: deadlines are wall time between hubs. */
const clockSlack = 2_000;
const topic = "hubs";

/** Another hub over the same store. */
export interface Peer {
  id: string;
  /** Its description of itself. */
  about: Readonly<Record<string, string>>;
  /** How far its wall clock is ahead of this hub's, in ms. */
  clockAhead: number;
}

interface Replica extends Peer {
  seq: number;
  lastSeenAt: number;
  askedAt: number;
  /** One of its messages was missed. */
  isStale: boolean;
  presence: Map<string, PresenceFacts>;
}

export interface PeersOptions {
  shared: SharedState;
  clock: Clock;
  log: Log;
  /** This hub's id. */
  self: string;
  about(): Readonly<Record<string, string>>;
  /** The local presence: of one session, and of all. */
  factsOf(id: string): PresenceFacts | undefined;
  sessions(): Iterable<string>;
  /** Another hub's presence at these sessions has changed. */
  onPresence(ids: Iterable<string>): void;
  /** Another hub has changed these drafts. */
  onDrafts(ids: readonly string[]): void;
  /** Events may have been missed, or a hub is dead: read the store again. */
  onUncertain(): void;
  /** Other hubs considered this hub dead. */
  onExpired(): void;
  onBeat(isRenewal: boolean): void;
}

/**
 * The other hubs: each publishes every change of its presence, numbered, and heartbeats. A hub that misses a number requests the complete
 * state; a hub without heartbeats is dropped.
 */
export class Peers {
  readonly #options: PeersOptions;
  readonly #replicas = new Map<string, Replica>();
  readonly #dirty = new Set<string>();
  readonly #drafts = new Set<string>();
  #seq = 0;
  #heartbeats = 0;
  #isFlushing = false;
  #isAway = false;
  #isClosed = false;
  #cancelBeat: CancelTimer = () => {};
  #stop: () => void = () => {};

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { shared } = this.#options;
    this.#stop = await shared.subscribe(topic, (text) => this.#onMessage(text));
    await this.#live();
    await this.#say({ type: "hello" });
    this.#beatLater();
  }

  list(): Peer[] {
    return [...this.#replicas.values()].map(({ id, about, clockAhead }) => ({ id, about, clockAhead }));
  }

  /** The presence at the other hubs. */
  of(id: string): PresenceFacts[] {
    const facts: PresenceFacts[] = [];
    for (const { presence } of this.#replicas.values()) {
      const known = presence.get(id);
      if (known !== undefined) facts.push(known);
    }
    return facts;
  }

  async isAlive(hub: string): Promise<boolean> {
    return (await this.#options.shared.get(aliveKey(hub))) !== undefined;
  }

  presenceChanged(id: string): void {
    this.#dirty.add(id);
    this.#flushSoon();
  }

  draftChanged(id: string): void {
    this.#drafts.add(id);
    this.#flushSoon();
  }

  async close(): Promise<void> {
    const { shared, self } = this.#options;
    this.#isClosed = true;
    this.#cancelBeat();
    this.#stop();
    // A hub that closes is dropped at once; a killed one once its heartbeats are missing.
    await Promise.allSettled([this.#say({ type: "bye" }), shared.swap(aliveKey(self), alive, undefined, null)]);
    this.#replicas.clear();
  }

  /** Changes of the same turn are sent together, afterwards. */
  #flushSoon(): void {
    if (this.#isFlushing || this.#isClosed) return;
    this.#isFlushing = true;
    void Promise.resolve().then(async () => {
      this.#isFlushing = false;
      const ids = [...this.#dirty];
      const drafts = [...this.#drafts];
      this.#dirty.clear();
      this.#drafts.clear();
      // Hubs that start later request everything.
      if (this.#replicas.size === 0 || this.#isClosed) return;
      const presence = ids.map((id): [string, PresenceFacts | null] => [id, this.#options.factsOf(id) ?? null]);
      await this.#say({ type: "news", presence, drafts });
    });
  }

  async #say(message: PeerMessage["body"]): Promise<void> {
    const { shared, self, log } = this.#options;
    this.#seq += 1;
    try {
      await shared.publish(topic, JSON.stringify({ from: self, seq: this.#seq, body: message } satisfies PeerMessage));
    } catch (error) {
      // The number is used up, so that the others notice.
      log("debug", "The other hubs could not be notified", { error: String(error) });
    }
  }

  async #sayAll(): Promise<void> {
    const all = [...this.#options.sessions()];
    for (let start = 0; start === 0 || start < all.length; start += batch) {
      const presence = all.slice(start, start + batch).map((id): [string, PresenceFacts | null] => [id, this.#options.factsOf(id) ?? null]);
      await this.#say({ type: "all", isFirst: start === 0, presence });
    }
  }

  #onMessage(text: string): void {
    const message = readPeerMessage(text);
    if (message === undefined || message.from === this.#options.self || this.#isClosed) return;
    const { from, seq, body } = message;
    if (body.type === "bye") return this.#forget(from);
    const known = this.#replicas.get(from);
    // A message that comes twice, or that a newer one has overtaken: what it says was missed by then, and is requested.
    if (known !== undefined && seq <= known.seq) return;
    const replica = known ?? this.#meet(from, seq);
    if (known !== undefined && seq !== known.seq + 1) {
      replica.isStale = true;
      this.#options.onUncertain();
    }
    replica.seq = seq;
    replica.lastSeenAt = this.#options.clock.monotonic();
    switch (body.type) {
      case "hello":
        this.#replace(replica, []);
        void this.#sayAlive();
        return void this.#sayAll();
      case "ask":
        if (body.of === this.#options.self) void this.#sayAll();
        break;
      case "alive":
        this.#learn(replica, body);
        break;
      case "all":
        if (body.isFirst) return this.#replace(replica, body.presence);
        this.#take(replica, body.presence);
        break;
      case "news":
        this.#take(replica, body.presence);
        if (body.drafts.length > 0) this.#options.onDrafts(body.drafts);
        break;
    }
    if (replica.isStale) this.#askFor(replica);
  }

  #meet(id: string, seq: number): Replica {
    const replica: Replica = {
      id,
      about: {},
      clockAhead: 0,
      seq,
      lastSeenAt: 0,
      askedAt: Number.NEGATIVE_INFINITY,
      isStale: true,
      presence: new Map(),
    };
    this.#replicas.set(id, replica);
    return replica;
  }

  #learn(replica: Replica, { about, now }: Extract<PeerMessage["body"], { type: "alive" }>): void {
    const { clock, log } = this.#options;
    const ahead = now - clock.now();
    if (Math.abs(ahead) > clockSlack && Math.abs(replica.clockAhead) <= clockSlack) {
      log("warn", "The wall clocks of two hubs differ; synchronize them with NTP, since deadlines between hubs use wall time", {
        hub: replica.id,
        ahead,
      });
    }
    replica.about = about;
    replica.clockAhead = ahead;
  }

  #askFor(replica: Replica): void {
    const now = this.#options.clock.monotonic();
    if (now - replica.askedAt < askEvery) return;
    replica.askedAt = now;
    void this.#say({ type: "ask", of: replica.id });
  }

  #take(replica: Replica, presence: readonly (readonly [string, PresenceFacts | null])[]): void {
    this.#publish(presence.flatMap(([id, facts]) => (learn(replica.presence, id, facts) ? [id] : [])));
  }

  #replace(replica: Replica, presence: readonly (readonly [string, PresenceFacts | null])[]): void {
    replica.isStale = false;
    const before = replica.presence;
    replica.presence = new Map();
    const differs = presence.filter(([id, facts]) => {
      learn(replica.presence, id, facts);
      return !isSame(before.get(id), facts ?? undefined);
    });
    this.#publish([...differs.map(([id]) => id), ...[...before.keys()].filter((id) => !replica.presence.has(id))]);
  }

  #publish(changed: readonly string[]): void {
    if (changed.length > 0) this.#options.onPresence(changed);
  }

  #forget(hub: string): void {
    const replica = this.#replicas.get(hub);
    if (replica === undefined) return;
    this.#replicas.delete(hub);
    this.#options.onPresence([...replica.presence.keys()]);
    this.#options.onUncertain();
  }

  #beatLater(): void {
    if (!this.#isClosed) this.#cancelBeat = this.#options.clock.setTimer(beatEvery, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const { clock, log, onBeat } = this.#options;
    this.#heartbeats += 1;
    try {
      await this.#live();
      await this.#sayAlive();
      if (this.#isAway) log("info", "The other hubs can be reached again");
      this.#isAway = false;
      onBeat(this.#heartbeats % renewEvery === 0);
    } catch (error) {
      if (!this.#isAway) log("warn", "The hubs' shared state cannot be reached; trying again", { error: String(error) });
      this.#isAway = true;
    }
    for (const { id, lastSeenAt } of [...this.#replicas.values()]) if (clock.monotonic() - lastSeenAt >= deadAfter) this.#forget(id);
    this.#beatLater();
  }

  async #live(): Promise<void> {
    const { shared, self, onExpired } = this.#options;
    const key = aliveKey(self);
    if (await shared.swap(key, alive, alive, deadAfter)) return;
    if (!(await shared.swap(key, undefined, alive, deadAfter))) {
      throw new AskboxError("CONFLICT", "Another hub has this hub's id.");
    }
    if (this.#heartbeats > 0) onExpired();
  }

  #sayAlive(): Promise<void> {
    const { about, clock } = this.#options;
    return this.#say({ type: "alive", about: { ...about() }, now: clock.now() });
  }
}

const alive = "alive";
const aliveKey = (hub: string) => `hub:${hub}`;

function isSame(one: PresenceFacts | undefined, other: PresenceFacts | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Remembers what was published about a session, and returns whether a change is new: publishing costs a read of the session and a message
 * to each surface.
 */
function learn(known: Map<string, PresenceFacts>, id: string, facts: PresenceFacts | null): boolean {
  const isNew = !isSame(known.get(id), facts ?? undefined);
  if (facts === null) known.delete(id);
  else known.set(id, facts);
  return isNew;
}
