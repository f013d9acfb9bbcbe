import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Answerer } from "../session/actor.ts";
import type { Presence } from "../session/view.ts";

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

/** Who is there: which askers wait, and who has a session open. Kept in memory only, since it is true only while it lasts. */
export class PresenceBook {
  readonly #clock: Clock;
  readonly #onChange: (id: string) => void;
  readonly #asking = new Map<string, Asking>();
  readonly #open = new Map<string, Set<Answerer>>();
  readonly #startedAt: number;

  constructor(clock: Clock, onChange: (id: string) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
    this.#startedAt = clock.now();
  }

  /** How many waits are running. */
  get waiting(): number {
    let sum = 0;
    for (const { waits } of this.#asking.values()) sum += waits;
    return sum;
  }

  /** Whether the session's asker neither waits nor is about to. */
  isDetached(id: string): boolean {
    const asking = this.#asking.get(id);
    return asking === undefined || (asking.waits === 0 && asking.claim === undefined);
  }

  /** Takes a detached session for an ask of `holder` that is about to wait for it. At most one of several that race succeeds. */
  claim(id: string, holder: object): boolean {
    if (!this.isDetached(id)) return false;
    const asking = this.#entry(id);
    asking.claim = { holder, cancel: this.#clock.setTimer(claimGrace, () => this.unclaim(id)) };
    this.#endTicket(asking);
    this.#onChange(id);
    return true;
  }

  /** Lets a claim go; with a holder, only that one's. */
  unclaim(id: string, holder?: object): void {
    const asking = this.#asking.get(id);
    if (asking?.claim === undefined || (holder !== undefined && asking.claim.holder !== holder)) return;
    asking.claim.cancel();
    asking.claim = undefined;
    asking.awaySince = this.#clock.now();
    this.#onChange(id);
  }

  /** The holder has gone: what it was about to wait for is detached. */
  unclaimAllOf(holder: object): void {
    for (const [id, { claim }] of this.#asking) if (claim?.holder === holder) this.unclaim(id);
  }

  /** A wait began. The returned function ends it; `ticket` means that the asker is expected back. */
  attach(id: string): (how: "ticket" | "away") => void {
    const asking = this.#entry(id);
    asking.waits += 1;
    asking.claim?.cancel();
    asking.claim = undefined;
    this.#endTicket(asking);
    this.#onChange(id);
    let attached = true;
    return (how) => {
      if (!attached) return;
      attached = false;
      asking.waits -= 1;
      if (asking.waits === 0) {
        asking.awaySince = this.#clock.now();
        if (how === "ticket") {
          asking.ticket = this.#clock.setTimer(ticketGrace, () => {
            asking.ticket = undefined;
            this.#onChange(id);
          });
        }
      }
      this.#onChange(id);
    };
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

  of(id: string): Presence {
    const openIn = [...(this.#open.get(id) ?? [])];
    const asking = this.#asking.get(id);
    if (asking === undefined) return { asker: "away", awaySince: this.#startedAt, openIn };
    if (asking.waits > 0 || asking.claim !== undefined) return { asker: "attached", openIn };
    if (asking.ticket !== undefined) return { asker: "will_ask_again", openIn };
    return { asker: "away", awaySince: asking.awaySince, openIn };
  }

  /** Forgets the asker of a settled session; those who have it open stay until they leave. */
  forgetAsker(id: string): void {
    const asking = this.#asking.get(id);
    if (asking === undefined) return;
    asking.claim?.cancel();
    this.#endTicket(asking);
    this.#asking.delete(id);
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

  #endTicket(asking: Asking): void {
    asking.ticket?.();
    asking.ticket = undefined;
  }
}
