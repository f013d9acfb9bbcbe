import type { CancelTimer, Clock, Log } from "@askbox/core";
import type { NotifyEvent } from "./event.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds between attempts; about 14 hours in total, as the Standard Webhooks specification suggests. */
const delays: readonly number[] = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 2 * hour, 4 * hour, 8 * hour];
/** The longest delay before jitter, also at a receiver's request. */
const maxDelay = 8 * hour;
/** The maximum number of waiting deliveries; beyond that the oldest is dropped. */
const maxWaiting = 1_000;

/** What became of a delivery. `retried`: an attempt failed and is repeated. `unknown`: it may have arrived, and is not repeated. */
export type DeliveryResult = "delivered" | "retried" | "dropped" | "unknown";
/** Told of each result; `channel` is one of a few names, without an address. Must not throw. */
export type DeliveryMeter = (channel: string, result: DeliveryResult) => void;

/** The result of one attempt. `after`: the receiver's requested delay, in ms. `isFinal`: another attempt would fail too. `status`: of its HTTP response. `isNeedless`: there was nothing to send. */
export type Attempt =
  | { ok: true; isNeedless?: true }
  | { ok: false; why: string; isFinal: boolean; after?: number | undefined; status?: number };

/** Where the deliveries of a queue go, and how. */
export interface QueueOptions {
  clock: Clock;
  log: Log;
  /** What is sent, and where, for the log. Without secrets. */
  noun: string;
  shown: string;
  /** The maximum number of deliveries in progress. */
  atOnce: number;
  /** Milliseconds during which events are collected for one message. Without it, each is sent alone, those of a session in order. */
  window?: number;
  send(events: readonly NotifyEvent[], signal: AbortSignal): Promise<Attempt>;
  random?: (() => number) | undefined;
  /** Called when the deliveries have changed. */
  onChange?: () => void;
  onResult?: ((result: DeliveryResult) => void) | undefined;
}

/** An event on its way. */
export interface Delivery {
  event: NotifyEvent;
  /** Failed attempts. */
  attempts: number;
  /** When the next attempt is due; wall time, so that it survives a restart. */
  dueAt: number;
}

/** `due`: the same by the monotonic clock, which nobody sets. */
type QueuedDelivery = Delivery & { due: number };

/** Statistics since the hub started. */
export interface QueueStatus {
  delivered: number;
  /** In progress or waiting, including retries. */
  waiting: number;
  /** Given up. */
  failed: number;
  /** Why the last attempt failed; undefined after a success. */
  trouble?: string;
}

/** The deliveries of one channel. Failed attempts are repeated; different sessions do not wait for each other. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting: QueuedDelivery[] = [];
  readonly #sending = new Set<QueuedDelivery>();
  readonly #attempts = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #cancelTimer: CancelTimer | undefined;
  #delivered = 0;
  #failed = 0;
  #trouble: string | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Includes what is being sent. */
  get waiting(): readonly Delivery[] {
    return this.#waiting;
  }

  status(): QueueStatus {
    return { delivered: this.#delivered, waiting: this.#waiting.length, failed: this.#failed, trouble: this.#trouble };
  }

  add(event: NotifyEvent): void {
    this.resume({ event, attempts: 0, dueAt: this.#options.clock.now() + (this.#options.window ?? 0) });
    this.#options.onChange?.();
  }

  /** Adds a delivery of an earlier run. If the event is waiting already, it gets this one's session. */
  resume(delivery: Delivery): void {
    const same = this.#find(delivery.event.id);
    if (same !== undefined) {
      same.event = delivery.event;
      return;
    }
    const { clock } = this.#options;
    const wait = Math.min(Math.max(delivery.dueAt - clock.now(), 0), maxDelay);
    this.#waiting.push({ ...delivery, due: clock.monotonic() + wait });
    if (this.#waiting.length > maxWaiting) {
      const oldest = this.#waiting.find((waiting) => !this.#sending.has(waiting));
      if (oldest !== undefined) this.#giveUp(oldest, `more than ${maxWaiting} are waiting`);
    }
    this.#pump();
  }

  /** Whether the event is waiting, and not being sent. */
  has(eventId: string): boolean {
    return this.#find(eventId) !== undefined;
  }

  /** Removes an event, unless it is being sent. */
  withdraw(eventId: string): void {
    const found = this.#find(eventId);
    if (found !== undefined) this.#remove(found);
  }

  /** Aborts all attempts, and resolves when they have ended; what was not delivered stays in `waiting`. */
  async close(): Promise<void> {
    this.#end.abort();
    this.#cancelTimer?.();
    await Promise.all(this.#attempts);
  }

  #find(eventId: string): QueuedDelivery | undefined {
    return this.#waiting.find((waiting) => waiting.event.id === eventId && !this.#sending.has(waiting));
  }

  #pump(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#end.signal.aborted) return;
    const { atOnce, window } = this.#options;
    const now = this.#options.clock.monotonic();
    const ahead = new Set<string>();
    let soonest = Number.POSITIVE_INFINITY;
    for (const delivery of [...this.#waiting]) {
      const { id } = delivery.event.session;
      const isNext = !this.#sending.has(delivery) && (window !== undefined || !ahead.has(id));
      ahead.add(id);
      if (!isNext || this.#sending.size >= atOnce) continue;
      if (delivery.due > now) soonest = Math.min(soonest, delivery.due);
      else this.#start(window === undefined ? [delivery] : this.#waiting.filter((waiting) => !this.#sending.has(waiting)));
    }
    if (soonest < Number.POSITIVE_INFINITY) this.#cancelTimer = this.#options.clock.setTimer(soonest - now, () => this.#pump());
  }

  #start(batch: readonly QueuedDelivery[]): void {
    for (const delivery of batch) this.#sending.add(delivery);
    const attempt = this.#attempt(batch).finally(() => this.#attempts.delete(attempt));
    this.#attempts.add(attempt);
  }

  async #attempt(batch: readonly QueuedDelivery[]): Promise<void> {
    const { window } = this.#options;
    const attempt = await this.#send(batch.map(({ event }) => event));
    for (const delivery of batch) this.#sending.delete(delivery);
    if (this.#end.signal.aborted && !attempt.ok) return;
    this.#trouble = attempt.ok ? undefined : attempt.why;
    for (const delivery of batch) this.#settle(delivery, attempt);
    const overdue = this.#waiting.filter(({ due }) => due <= this.#options.clock.monotonic());
    // Those for which there was no room wait for another window: the surface that was just used may still be closing.
    if (window !== undefined) for (const delivery of overdue) this.#schedule(delivery, window);
    this.#options.onChange?.();
    this.#pump();
  }

  async #send(events: readonly NotifyEvent[]): Promise<Attempt> {
    try {
      return await this.#options.send(events, this.#end.signal);
    } catch (error) {
      return { ok: false, why: String(error), isFinal: true };
    }
  }

  #settle(delivery: QueuedDelivery, attempt: Attempt): void {
    if (attempt.ok) {
      this.#remove(delivery);
      if (attempt.isNeedless) return;
      this.#delivered += 1;
      this.#options.onResult?.("delivered");
      return;
    }
    delivery.attempts += 1;
    const delay = attempt.isFinal ? undefined : nextDelay(delivery.attempts, attempt.after, this.#options.random ?? Math.random);
    if (delay === undefined) return this.#giveUp(delivery, attempt.why);
    this.#schedule(delivery, delay);
    this.#options.onResult?.("retried");
    this.#log("info", "will be tried again", delivery, { why: attempt.why, in: Math.round(delay) });
  }

  #schedule(delivery: QueuedDelivery, delay: number): void {
    const { clock } = this.#options;
    delivery.dueAt = clock.now() + delay;
    delivery.due = clock.monotonic() + delay;
  }

  #giveUp(delivery: QueuedDelivery, why: string): void {
    this.#failed += 1;
    this.#options.onResult?.("dropped");
    this.#remove(delivery);
    this.#log("warn", "could not be delivered and was dropped.", delivery, { attempts: delivery.attempts, why });
  }

  #remove(delivery: QueuedDelivery): void {
    const at = this.#waiting.indexOf(delivery);
    if (at >= 0) this.#waiting.splice(at, 1);
  }

  #log(level: "info" | "warn", what: string, { event }: Delivery, more: Record<string, unknown>): void {
    const about = { target: this.#options.shown, event: event.type, sessionId: event.session.id };
    this.#options.log(level, `A ${this.#options.noun} ${what}`, { ...about, ...more });
  }
}

/**
 * Milliseconds until the next attempt after `attempts` failures, plus up to a fifth as jitter; at least what the receiver requested;
 * undefined to give up.
 */
function nextDelay(attempts: number, after: number | undefined, random: () => number): number | undefined {
  const delay = delays[attempts - 1];
  return delay === undefined ? undefined : Math.max(delay * (1 + random() / 5), Math.min(after ?? 0, maxDelay));
}
