import type { CancelTimer, Clock, Log } from "@askbox/core";
import type { Target } from "../channels/kinds.ts";
import type { WebhookEvent } from "../event.ts";
import { type Fetch, send } from "../request/send.ts";
import { nextDelay } from "./backoff.ts";
import type { Delivery, TargetStatus } from "./delivery.ts";

/** Concurrent requests per target. */
const atOnce = 4;
/** The maximum number of waiting deliveries per target; beyond that the oldest is dropped. */
const maxWaiting = 1_000;

export interface QueueParts {
  clock: Clock;
  log: Log;
  fetch: Fetch;
  random: () => number;
  /** Called when the persistent state has changed. */
  onChange(): void;
}

/** The deliveries to one target. Events of one session arrive in order; different sessions do not wait for each other. */
export class TargetQueue {
  readonly #target: Target;
  readonly #parts: QueueParts;
  readonly #waiting: Delivery[] = [];
  readonly #sending = new Set<Delivery>();
  readonly #end = new AbortController();
  readonly #shown: string;
  #cancelTimer: CancelTimer | undefined;
  #delivered = 0;
  #failed = 0;
  #trouble: string | undefined;

  constructor(target: Target, parts: QueueParts) {
    this.#target = target;
    this.#parts = parts;
    this.#shown = shownUrl(target);
  }

  get target(): Target {
    return this.#target;
  }

  get waiting(): readonly Delivery[] {
    return this.#waiting;
  }

  status(): TargetStatus {
    return {
      ...{ url: this.#shown, kind: this.#target.kind, delivered: this.#delivered, waiting: this.#waiting.length, failed: this.#failed },
      ...(this.#trouble !== undefined && { trouble: this.#trouble }),
    };
  }

  add(event: WebhookEvent): void {
    this.resume({ to: this.#target.url, event, attempts: 0, dueAt: this.#parts.clock.now() });
    this.#parts.onChange();
  }

  /** Resumes a delivery of an earlier run. */
  resume(delivery: Delivery): void {
    if (this.#waiting.some(({ event }) => event.id === delivery.event.id)) return;
    this.#waiting.push(delivery);
    if (this.#waiting.length > maxWaiting) {
      const oldest = this.#waiting.find((waiting) => !this.#sending.has(waiting));
      if (oldest !== undefined) this.#giveUp(oldest, `more than ${maxWaiting} are waiting`);
    }
    this.#pump();
  }

  /** Aborts all requests; undelivered events stay in `waiting`. */
  close(): void {
    this.#end.abort();
    this.#cancelTimer?.();
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#end.signal.aborted) return;
    const now = this.#parts.clock.now();
    const ahead = new Set<string>();
    let soonest = Number.POSITIVE_INFINITY;
    for (const delivery of [...this.#waiting]) {
      const { id } = delivery.event.session;
      const isNext = !ahead.has(id) && !this.#sending.has(delivery);
      ahead.add(id);
      if (!isNext || this.#sending.size >= atOnce) continue;
      if (delivery.dueAt <= now) void this.#attempt(delivery);
      else soonest = Math.min(soonest, delivery.dueAt);
    }
    if (soonest < Number.POSITIVE_INFINITY) this.#cancelTimer = this.#parts.clock.setTimer(soonest - now, () => this.#pump());
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { clock, log, fetch, random, onChange } = this.#parts;
    this.#sending.add(delivery);
    const attempt = await send(this.#target, delivery.event, { clock, fetch, signal: this.#end.signal });
    this.#sending.delete(delivery);
    if (this.#end.signal.aborted && !attempt.ok) return;
    if (attempt.ok) {
      this.#delivered += 1;
      this.#trouble = undefined;
      this.#remove(delivery);
    } else {
      this.#trouble = attempt.why;
      delivery.attempts += 1;
      const delay = attempt.isFinal ? undefined : nextDelay(delivery.attempts, attempt.after, random);
      if (delay === undefined) this.#giveUp(delivery, attempt.why);
      else {
        delivery.dueAt = clock.now() + delay;
        log("info", "A webhook will be tried again", { ...this.#about(delivery), why: attempt.why, in: Math.round(delay) });
      }
    }
    onChange();
    this.#pump();
  }

  #giveUp(delivery: Delivery, why: string): void {
    this.#failed += 1;
    this.#remove(delivery);
    this.#parts.log("warn", "A webhook could not be delivered and was dropped.", {
      ...this.#about(delivery),
      attempts: delivery.attempts,
      why,
    });
  }

  #remove(delivery: Delivery): void {
    const at = this.#waiting.indexOf(delivery);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  #about({ event }: Delivery): Record<string, unknown> {
    return { target: this.#shown, event: event.type, sessionId: event.session.id };
  }
}

/** A path may be a secret too (a chat's incoming hook, a topic), so only a few letters are shown. */
function shownUrl({ url }: Target): string {
  const { origin, pathname } = new URL(url);
  return pathname.length <= 5 ? `${origin}${pathname}` : `${origin}${pathname.slice(0, 4)}…`;
}
