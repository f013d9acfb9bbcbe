import type { Clock } from "@askbox/core";
import { pause } from "./http.ts";
import type { ChatEvent, Reaction } from "./port.ts";
import type { DeskStore } from "./store.ts";

/** Milliseconds between two attempts, and after which the service is told that it was received: it waits three seconds. */
const [again, late] = [500, 2_000];
/** Events that are kept; beyond it, a new one is taken without that. */
const maxKept = 100;

/** Takes what a person did, from a service that tells of it only once. */
export interface KeptEvents {
  /**
   * Resolves when it has taken effect; after two seconds without a reaction, and it takes effect later. It is on disk by then, so that this
   * happens over a restart, too.
   */
  take(event: ChatEvent): Promise<Reaction>;
  /** Takes what an earlier hub has left. */
  resume(): void;
  close(): void;
}

export function keptEvents(options: { store: DeskStore; clock: Clock; onEvent(event: ChatEvent): Promise<Reaction> }): KeptEvents {
  const { store, clock, onEvent } = options;
  const end = new AbortController();
  const inHand = new Map<string, Promise<Reaction>>();

  const untilTaken = async (event: ChatEvent): Promise<Reaction> => {
    try {
      for (;;) {
        const reaction = await onEvent(event).catch(() => undefined);
        if (end.signal.aborted) return {};
        if (reaction !== undefined) {
          store.events = store.events.filter(({ id }) => id !== event.id);
          store.save();
          return reaction;
        }
        await pause(clock, again, end.signal);
      }
    } finally {
      inHand.delete(event.id);
    }
  };
  const start = (event: ChatEvent): Promise<Reaction> => {
    const taken = untilTaken(event);
    inHand.set(event.id, taken);
    return taken;
  };
  return {
    async take(event) {
      if (inHand.has(event.id)) return {};
      if (store.events.length < maxKept) {
        store.events = [...store.events, event];
        store.save();
        // Where it can't be kept, it may take effect all the same.
        await store.written().catch(() => {});
      }
      const waited = new AbortController();
      const reaction = await Promise.race([start(event), pause(clock, late, AbortSignal.any([waited.signal, end.signal]))]);
      waited.abort();
      return reaction ?? {};
    },
    resume() {
      for (const event of store.events) if (!inHand.has(event.id)) void start(event);
    },
    close: () => end.abort(),
  };
}
