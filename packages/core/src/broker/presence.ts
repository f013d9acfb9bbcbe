import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Answerer } from "../session/actor.ts";
import type { Presence } from "../session/view.ts";
import type { PresenceFacts } from "./peer-message.ts";

/** How long an asker that left with a ticket is expected back, in ms. */
const ticketGrace = 120_000;
/** How long an asker may take between opening a session and waiting for it, in ms. */
const claimGrace = 10_000;

interface Asking {
  waits: number;
  claim?: { holder: object; cancel: CancelTimer } | undefined;
  ticket?: CancelTimer | undefined;
  awaySince: number;
}

interface PresenceOptions {
  clock: Clock;
  /** Who is at the session has changed here. */
  onChange(id: string): void;
  /** What is known here of a session has changed or was forgotten. */
  onFacts(id: string): void;
  /** What other hubs know of who is at the session. */
  elsewhere(id: string): readonly PresenceFacts[];
}

/** Who is there: which askers wait, and who has a session open. Kept in memory only, since it is true only while it lasts. */
export class PresenceBook {
  readonly #clock: Clock;
  readonly #options: PresenceOptions;
  readonly #asking = new Map<string, Asking>();
  readonly #open = new Map<string, Set<Answerer>>();
  /** What each holder is about to wait for, so that its going need not walk through all sessions. */
  readonly #claims = new Map<object, Set<string>>();
  readonly #startedAt: number;
  #waiting = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#startedAt = options.clock.now();
  }

  /** How many waits are running. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the session's asker neither waits here nor is about to. */
  isDetached(id: string): boolean {
    const asking = this.#asking.get(id);
    return asking === undefined || (asking.waits === 0 && asking.claim === undefined);
  }

  /** Takes a detached session for an ask of `holder` that is about to wait for it. At most one of several that race succeeds. */
  claim(id: string, holder: object): boolean {
    if (!this.isDetached(id)) return false;
    const asking = this.#entry(id);
    asking.claim = { holder, cancel: this.#clock.setTimer(claimGrace, () => this.unclaim(id)) };
    this.#claims.set(holder, (this.#claims.get(holder) ?? new Set()).add(id));
    this.#endTicket(asking);
    this.#onChange(id);
    return true;
  }

  /** Lets a claim go; with a holder, only that one's. */
  unclaim(id: string, holder?: object): void {
    const asking = this.#asking.get(id);
    if (asking?.claim === undefined || (holder !== undefined && asking.claim.holder !== holder)) return;
    this.#endClaim(id, asking);
    asking.awaySince = this.#clock.now();
    this.#onChange(id);
  }

  /** The holder has gone: what it was about to wait for is detached. */
  unclaimAllOf(holder: object): void {
    for (const id of [...(this.#claims.get(holder) ?? [])]) this.unclaim(id, holder);
  }

  /** A wait began. The returned function ends it; `ticket` means that the asker is expected back. */
  attach(id: string): (how: "ticket" | "away") => void {
    const asking = this.#entry(id);
    asking.waits += 1;
    this.#waiting += 1;
    this.#endClaim(id, asking);
    this.#endTicket(asking);
    this.#onChange(id);
    let attached = true;
    return (how) => {
      if (!attached) return;
      attached = false;
      asking.waits -= 1;
      this.#waiting -= 1;
      if (asking.waits === 0) {
        asking.awaySince = this.#clock.now();
        if (how === "ticket") this.#awaitReturn(id, asking);
      }
      this.#onChange(id);
    };
  }

  /** The asker had a look and comes back. Nothing is told where that was known, so that surfaces need not draw every look. */
  expect(id: string): void {
    const asking = this.#entry(id);
    const isNew = asking.ticket === undefined || asking.claim !== undefined;
    this.#endClaim(id, asking);
    this.#awaitReturn(id, asking);
    if (isNew) this.#onChange(id);
  }

  /** Somebody opened the session in a surface. The returned function tells that it was left. */
  attend(id: string, who: Answerer): () => void {
    // A copy, so that the same answerer in two tabs counts twice.
    const mark = { ...who };
    const present = this.#open.get(id) ?? new Set();
    this.#open.set(id, present.add(mark));
    this.#onChange(id);
    return () => {
      if (!present.delete(mark)) return;
      if (present.size === 0 && this.#open.get(id) === present) this.#open.delete(id);
      this.#onChange(id);
    };
  }

  /** Who is there, at whatever hub. */
  of(id: string): Presence {
    const facts = [this.factsOf(id) ?? nobody, ...this.#options.elsewhere(id)];
    const openIn = facts.flatMap((known) => known.openIn);
    for (const asker of ["attached", "will_ask_again"] as const) if (facts.some((known) => known.asker === asker)) return { asker, openIn };
    const since = facts.flatMap(({ awaySince }) => (awaySince === undefined ? [] : [awaySince]));
    return { asker: "away", awaySince: since.length === 0 ? this.#startedAt : Math.max(...since), openIn };
  }

  /** Who is there at this hub; undefined if nobody has been. */
  factsOf(id: string): PresenceFacts | undefined {
    const asking = this.#asking.get(id);
    const present = this.#open.get(id);
    if (asking === undefined && present === undefined) return undefined;
    const openIn = [...(present ?? [])];
    const isWaiting = (asking?.waits ?? 0) > 0;
    const known = { isWaiting, openIn };
    if (asking === undefined) return { asker: "away", ...known };
    if (isWaiting || asking.claim !== undefined) return { asker: "attached", ...known };
    if (asking.ticket !== undefined) return { asker: "will_ask_again", ...known };
    return { asker: "away", awaySince: asking.awaySince, ...known };
  }

  /** The sessions that are known of here. */
  sessions(): Iterable<string> {
    return new Set([...this.#asking.keys(), ...this.#open.keys()]);
  }

  /** Forgets the asker of a settled session; those who have it open stay until they leave. */
  forgetAsker(id: string): void {
    const asking = this.#asking.get(id);
    if (asking === undefined) return;
    this.#endClaim(id, asking);
    this.#endTicket(asking);
    this.#asking.delete(id);
    this.#options.onFacts(id);
  }

  close(): void {
    for (const id of [...this.#asking.keys()]) this.forgetAsker(id);
    this.#open.clear();
  }

  #entry(id: string): Asking {
    let asking = this.#asking.get(id);
    if (asking === undefined) {
      asking = { waits: 0, awaySince: this.#clock.now() };
      this.#asking.set(id, asking);
    }
    return asking;
  }

  #onChange(id: string): void {
    this.#options.onFacts(id);
    this.#options.onChange(id);
  }

  #awaitReturn(id: string, asking: Asking): void {
    this.#endTicket(asking);
    asking.awaySince = this.#clock.now();
    asking.ticket = this.#clock.setTimer(ticketGrace, () => {
      asking.ticket = undefined;
      this.#onChange(id);
    });
  }

  #endClaim(id: string, asking: Asking): void {
    if (asking.claim === undefined) return;
    const { holder, cancel } = asking.claim;
    cancel();
    asking.claim = undefined;
    const claimed = this.#claims.get(holder);
    claimed?.delete(id);
    if (claimed?.size === 0) this.#claims.delete(holder);
  }

  #endTicket(asking: Asking): void {
    asking.ticket?.();
    asking.ticket = undefined;
  }
}

const nobody: PresenceFacts = { asker: "away", isWaiting: false, openIn: [] };
