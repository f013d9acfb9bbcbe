// Watches and attendances. They have no end of their own, so each is begun again on every new connection, with a snapshot that replaces what
// came before; a large one comes in parts, which are joined here.

import type { Clock, DeskEvent, Draft, Log, SessionView, Watch, WatchFilter } from "@askbox/core";
import { AskboxError, toAskboxError } from "@askbox/core/transport";
import type { SentEvent } from "../protocol/messages.ts";
import type { OperationName, Params } from "../protocol/operations.ts";
import type { Call, Calls } from "./calls.ts";

interface LiveViewsOptions {
  calls: Calls;
  clock: Clock;
  send(message: object): void;
  log: Log;
}

type HeldMethod = Extract<OperationName, "watch" | "attend">;

interface LiveView {
  method: HeldMethod;
  params: Params<HeldMethod>;
  listener(event: DeskEvent): void;
  /** Assembles complete snapshots from the events on the current connection. */
  join(event: SentEvent): DeskEvent[];
  /** The request that keeps it open on the current connection. */
  id: number | undefined;
  /** The request that starts it, while in progress; it is resent automatically. */
  call: Call<HeldMethod> | undefined;
  isOver: boolean;
}

/** Milliseconds until a watch that the hub could not resume is retried. */
const retryAfter = 5_000;

/** What lasts until it is closed, across connections: watches, each with a fresh snapshot after a reconnect, and attendances. */
export class LiveViews {
  readonly #options: LiveViewsOptions;
  readonly #held = new Set<LiveView>();

  constructor(options: LiveViewsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#held.size;
  }

  async watch(filter: WatchFilter, listener: (event: DeskEvent) => void): Promise<Watch> {
    return { close: await this.#hold("watch", filter, listener) };
  }

  attend(sessionId: string): Promise<() => void> {
    return this.#hold("attend", { sessionId }, () => {});
  }

  event(id: number, event: SentEvent): void {
    for (const held of this.#held) {
      if (held.id === id) for (const whole of held.join(event)) this.#publish(held, whole);
    }
  }

  opened(): void {
    for (const held of this.#held) if (held.call === undefined && held.id === undefined) void this.#resume(held);
  }

  lost(): void {
    for (const held of this.#held) held.id = undefined;
  }

  clear(): void {
    this.#held.clear();
  }

  async #hold(method: HeldMethod, params: Params<HeldMethod>, listener: (event: DeskEvent) => void): Promise<() => void> {
    const held: LiveView = { method, params, listener, join: joinedEvents(), id: undefined, call: undefined, isOver: false };
    this.#held.add(held);
    try {
      await this.#begin(held);
    } catch (error) {
      this.#held.delete(held);
      throw error;
    }
    return () => {
      if (held.isOver) return;
      held.isOver = true;
      this.#held.delete(held);
      if (held.call !== undefined) held.call.abort(new AskboxError("ABORTED", "The live view was closed."));
      else if (held.id !== undefined) this.#options.send({ cancel: held.id });
    };
  }

  async #resume(held: LiveView): Promise<void> {
    try {
      await this.#begin(held, Number.POSITIVE_INFINITY);
    } catch (error) {
      if (held.isOver || !this.#held.has(held)) return;
      const { clock, log } = this.#options;
      log("warn", "A live view was not resumed", { method: held.method, error: toAskboxError(error).message });
      if (held.method === "watch") clock.setTimer(retryAfter, () => this.opened());
      // Its session is probably gone, and there is no listener to report it to.
      else this.#held.delete(held);
    }
  }

  async #begin(held: LiveView, timeout?: number): Promise<void> {
    held.call = this.#options.calls.call(held.method, {
      params: () => held.params,
      onSent: (id) => {
        held.id = id;
        held.join = joinedEvents();
      },
      timeout,
    });
    try {
      await held.call.result;
    } catch (error) {
      held.id = undefined;
      throw error;
    } finally {
      held.call = undefined;
    }
  }

  #publish(held: LiveView, event: DeskEvent): void {
    try {
      held.listener(event);
    } catch (error) {
      this.#options.log("error", "A watch's listener failed", { error: toAskboxError(error).message });
    }
  }
}

/**
 * Joins the parts of a snapshot. Returns a function that accepts each event as sent and returns the watcher's events: none while parts are
 * missing, then the snapshot and the changes that came between its parts.
 */
export function joinedEvents(): (event: SentEvent) => DeskEvent[] {
  let parts: { sessions: SessionView[]; drafts: Draft[]; between: DeskEvent[] } | undefined;
  return (event) => {
    if (event.type !== "snapshot") {
      if (parts === undefined) return [event];
      parts.between.push(event);
      return [];
    }
    const { sessions, drafts, more } = event;
    parts ??= { sessions: [], drafts: [], between: [] };
    // Not spread into a call: a part may have more items than a call allows arguments.
    for (const session of sessions) parts.sessions.push(session);
    for (const draft of drafts) parts.drafts.push(draft);
    if (more === true) return [];
    const { between, ...whole } = parts;
    parts = undefined;
    return [{ type: "snapshot", ...whole }, ...between];
  };
}
