import type { CancelTimer, Clock } from "../ports/platform.ts";
import type { Answerer } from "../session/outcome.ts";
import type { Presence } from "../session/view.ts";
import type { PresenceFacts } from "./several-hubs.ts";

/** How long an asker that left with a ticket counts as returning, in ms. */
const ticketGrace = 120_000;
/** How long an asker may take between opening a session and waiting for it, in ms. */
const claimGrace = 10_000;

interface AskerPresence {
  waits: number;
  claim?: { holder: object; cancel: CancelTimer } | undefined;
  ticket?: CancelTimer | undefined;
  awaySince: number;
}

interface PresenceOptions {
  clock: Clock;
  /** The local presence at the session has changed: of its asker, or of the people who have it open. */
  onChange(id: string, who: "asker" | "people"): void;
  /** The local state of a session was changed or removed. */
  onFacts(id: string): void;
  /** The presence at other hubs. */
  elsewhere(id: string): readonly PresenceFacts[];
}

/** The presence at each session: which askers wait, and who has it open. In memory only, since it is only valid while it lasts. */
export class PresenceTracker {
  readonly #clock: Clock;
  readonly #options: PresenceOptions;
  readonly #asking = new Map<string, AskerPresence>();
  readonly #open = new Map<string, Set<Answerer>>();
  /** What each holder is about to wait for, so that removing a holder does not require a scan of all sessions. */
  readonly #claims = new Map<object, Set<string>>();
  readonly #startedAt: number;
  #waiting = 0;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#startedAt = options.clock.now();
  }

  /** The number of running waits. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether the session's asker neither waits here nor is about to. */
  isDetached(id: string): boolean {
    const asking = this.#asking.get(id);
    return asking === undefined || (asking.waits === 0 && asking.claim === undefined);
  }

  /** Claims a detached session for an ask of `holder` that is about to wait for it. At most one of several that race succeeds. */
  claim(id: string, holder: object): boolean {
    if (!this.isDetached(id)) return false;
    const asking = this.#entry(id);
    asking.claim = { holder, cancel: this.#clock.setTimer(claimGrace, () => this.unclaim(id)) };
    this.#claims.set(holder, (this.#claims.get(holder) ?? new Set()).add(id));
    this.#endTicket(asking);
    this.#onChange(id);
    return true;
  }

  /** Releases a claim; with a holder, only that holder's. */
  unclaim(id: string, holder?: object): void {
    const asking = this.#asking.get(id);
    if (asking?.claim === undefined || (holder !== undefined && asking.claim.holder !== holder)) return;
    this.#endClaim(id, asking);
    asking.awaySince = this.#clock.now();
    this.#onChange(id);
  }

  /** The holder is gone: what it was about to wait for is detached. */
  unclaimAllOf(holder: object): void {
    for (const id of [...(this.#claims.get(holder) ?? [])]) this.unclaim(id, holder);
  }

  /** A wait began. The returned function ends it; `ticket` means that the asker will return. */
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

  /** The asker checked and will return. If that was already known, there is no event, so that surfaces need not redraw on every check. */
  expect(id: string): void {
    const asking = this.#entry(id);
    const isNew = asking.ticket === undefined || asking.claim !== undefined;
    this.#endClaim(id, asking);
    this.#awaitReturn(id, asking);
    if (isNew) this.#onChange(id);
  }

  /** Somebody opened the session in a surface. The returned function ends that. */
  attend(id: string, who: Answerer): () => void {
    // A copy, so that the same answerer in two tabs counts twice.
    const mark = { ...who };
    const present = this.#open.get(id) ?? new Set();
    this.#open.set(id, present.add(mark));
    this.#onChange(id, "people");
    return () => {
      if (!present.delete(mark)) return;
      if (present.size === 0 && this.#open.get(id) === present) this.#open.delete(id);
      this.#onChange(id, "people");
    };
  }

  /** The presence at all hubs. */
  of(id: string): Presence {
    const facts = [this.factsOf(id) ?? nobody, ...this.#options.elsewhere(id)];
    const openIn = facts.flatMap((known) => known.openIn);
    for (const asker of ["attached", "will_ask_again"] as const) if (facts.some((known) => known.asker === asker)) return { asker, openIn };
    const since = facts.flatMap(({ awaySince }) => (awaySince === undefined ? [] : [awaySince]));
    return { asker: "away", awaySince: since.length === 0 ? this.#startedAt : Math.max(...since), openIn };
  }

  /** The presence at this hub; undefined if there never was any. */
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

  /** The sessions with local state. */
  sessions(): Iterable<string> {
    return new Set([...this.#asking.keys(), ...this.#open.keys()]);
  }

  /** Removes the asker of a settled session; people who have it open stay until they leave. */
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

  #entry(id: string): AskerPresence {
    let asking = this.#asking.get(id);
    if (asking === undefined) {
      asking = { waits: 0, awaySince: this.#clock.now() };
      this.#asking.set(id, asking);
    }
    return asking;
  }

  #onChange(id: string, who: "asker" | "people" = "asker"): void {
    this.#options.onFacts(id);
    this.#options.onChange(id, who);
  }

  #awaitReturn(id: string, asking: AskerPresence): void {
    this.#endTicket(asking);
    asking.awaySince = this.#clock.now();
    asking.ticket = this.#clock.setTimer(ticketGrace, () => {
      asking.ticket = undefined;
      this.#onChange(id);
    });
  }

  #endClaim(id: string, asking: AskerPresence): void {
    if (asking.claim === undefined) return;
    const { holder, cancel } = asking.claim;
    cancel();
    asking.claim = undefined;
    const claimed = this.#claims.get(holder);
    claimed?.delete(id);
    if (claimed?.size === 0) this.#claims.delete(holder);
  }

  #endTicket(asking: AskerPresence): void {
    asking.ticket?.();
    asking.ticket = undefined;
  }
}

const nobody: PresenceFacts = { asker: "away", isWaiting: false, openIn: [] };
