import { AskboxError } from "../errors.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Log } from "../ports/logger.ts";
import type { SharedState } from "../ports/shared.ts";
import { type PeerMessage, type PresenceFacts, readPeerMessage } from "./peer-message.ts";
import { isSame, learn } from "./presence-changes.ts";

/** How often a hub says that it lives, in ms. */
const beatEvery = 2_000;
/** After so much silence, in ms, a hub counts as dead: nobody waits at it any more, and nobody has anything open. */
export const deadAfter = 8_000;
/** How often a hub is asked again for all it knows, in ms. */
const askEvery = 1_000;
/** Sessions in one message. */
const batch = 2_000;
/** Custody is written again every so many beats: each hour. */
const renewEvery = 1_800;
/** Clocks of hubs may differ by so much, in ms, before somebody is told: deadlines are wall time to the other hubs. */
const clockSlack = 2_000;
const topic = "hubs";

/** Another hub over the same store. */
export interface Peer {
  id: string;
  /** What it says of itself. */
  about: Readonly<Record<string, string>>;
  /** By how many ms its wall clock is ahead of this hub's. */
  clockAhead: number;
}

interface Replica extends Peer {
  seq: number;
  lastSeenAt: number;
  askedAt: number;
  /** Something of it was missed. */
  isStale: boolean;
  presence: Map<string, PresenceFacts>;
}

interface PeersOptions {
  shared: SharedState | undefined;
  clock: Clock;
  log: Log;
  /** This hub's id. */
  self: string;
  about(): Readonly<Record<string, string>>;
  /** What is known here of who is there: of one session, and of all. */
  factsOf(id: string): PresenceFacts | undefined;
  sessions(): Iterable<string>;
  /** Another hub's presence at these sessions has changed. */
  onPresence(ids: Iterable<string>): void;
  /** Another hub has changed these drafts. */
  onDrafts(ids: readonly string[]): void;
  /** News may have been missed, or a hub is dead: what is in the store is to be looked at again. */
  onDoubt(): void;
  /** This hub was taken for dead. */
  onLapse(): void;
  onBeat(isRenewal: boolean): void;
}

/**
 * The other hubs, as they describe themselves: each says every change of its presence, numbered, and that it lives. Whoever misses a number asks for
 * everything; whoever is silent for too long is forgotten, whatever it said.
 */
export class Peers {
  readonly #options: PeersOptions;
  readonly #replicas = new Map<string, Replica>();
  readonly #dirty = new Set<string>();
  readonly #drafts = new Set<string>();
  #seq = 0;
  #beats = 0;
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
    if (shared === undefined) return;
    this.#stop = await shared.subscribe(topic, (text) => this.#onMessage(text));
    await this.#live(shared);
    await this.#say({ type: "hello" });
    this.#beatLater();
  }

  list(): Peer[] {
    return [...this.#replicas.values()].map(({ id, about, clockAhead }) => ({ id, about, clockAhead }));
  }

  /** What the other hubs know of who is there. */
  of(id: string): PresenceFacts[] {
    const facts: PresenceFacts[] = [];
    for (const { presence } of this.#replicas.values()) {
      const known = presence.get(id);
      if (known !== undefined) facts.push(known);
    }
    return facts;
  }

  async isAlive(hub: string): Promise<boolean> {
    return (await this.#options.shared?.get(aliveKey(hub))) !== undefined;
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
    if (shared === undefined) return;
    // A hub that ends well is forgotten at once; of one that cannot say so the others learn by its silence.
    await Promise.allSettled([this.#say({ type: "bye" }), shared.swap(aliveKey(self), alive, undefined, null)]);
    this.#replicas.clear();
  }

  /** Everything that happens in one step goes out together, after it. */
  #flushSoon(): void {
    if (this.#isFlushing || this.#isClosed || this.#options.shared === undefined) return;
    this.#isFlushing = true;
    void Promise.resolve().then(async () => {
      this.#isFlushing = false;
      const ids = [...this.#dirty];
      const drafts = [...this.#drafts];
      this.#dirty.clear();
      this.#drafts.clear();
      // Whoever comes later asks for everything.
      if (this.#replicas.size === 0 || this.#isClosed) return;
      const presence = ids.map((id): [string, PresenceFacts | null] => [id, this.#options.factsOf(id) ?? null]);
      await this.#say({ type: "news", presence, drafts });
    });
  }

  async #say(message: PeerMessage["body"]): Promise<void> {
    const { shared, self, log } = this.#options;
    this.#seq += 1;
    try {
      await shared?.publish(topic, JSON.stringify({ from: self, seq: this.#seq, body: message } satisfies PeerMessage));
    } catch (error) {
      // The number is used up, so that the others notice.
      log("debug", "The other hubs could not be told", { error: String(error) });
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
    const replica = known ?? this.#meet(from, seq);
    if (known !== undefined && seq !== known.seq + 1) {
      replica.isStale = true;
      this.#options.onDoubt();
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
      log("warn", "The wall clocks of two hubs differ; set them by the network's time, since deadlines are wall time between hubs", {
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
    this.#options.onDoubt();
  }

  #beatLater(): void {
    if (!this.#isClosed) this.#cancelBeat = this.#options.clock.setTimer(beatEvery, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const { shared, clock, log, onBeat } = this.#options;
    if (shared === undefined) return;
    this.#beats += 1;
    try {
      await this.#live(shared);
      await this.#sayAlive();
      if (this.#isAway) log("info", "The other hubs can be reached again");
      this.#isAway = false;
      onBeat(this.#beats % renewEvery === 0);
    } catch (error) {
      if (!this.#isAway) log("warn", "What the hubs share cannot be reached; trying again", { error: String(error) });
      this.#isAway = true;
    }
    for (const { id, lastSeenAt } of [...this.#replicas.values()]) if (clock.monotonic() - lastSeenAt >= deadAfter) this.#forget(id);
    this.#beatLater();
  }

  async #live(shared: SharedState): Promise<void> {
    const { self, onLapse } = this.#options;
    const key = aliveKey(self);
    if (await shared.swap(key, alive, alive, deadAfter)) return;
    if (!(await shared.swap(key, undefined, alive, deadAfter))) {
      throw new AskboxError("CONFLICT", "Another hub has this hub's id.");
    }
    if (this.#beats > 0) onLapse();
  }

  #sayAlive(): Promise<void> {
    const { about, clock } = this.#options;
    return this.#say({ type: "alive", about: { ...about() }, now: clock.now() });
  }
}

const alive = "alive";
const aliveKey = (hub: string) => `hub:${hub}`;
