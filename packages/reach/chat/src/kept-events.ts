import type { Clock, Log } from "@askbox/core";
import { pause } from "./http.ts";
import type { ChatEvent, Reaction } from "./port.ts";
import type { DeskStore } from "./store.ts";

/** Milliseconds between two attempts, and after which the service is told that it was received: it waits three seconds. */
const [again, late] = [500, 2_000];
/** Events that are kept, and that are known as taken; beyond it, a new one is taken without that. */
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
  close(): Promise<void>;
}

export function keptEvents(options: {
  store: DeskStore;
  clock: Clock;
  log: Log;
  onEvent(event: ChatEvent): Promise<Reaction>;
  /** Tells the person what came of it, after `take` has resolved without that. */
  onLate(event: ChatEvent, reaction: Reaction): Promise<void>;
}): KeptEvents {
  const { store, clock, log, onEvent, onLate } = options;
  const end = new AbortController();
  const inHand = new Set<string>();
  /** One after the other, as they came. */
  let turn: Promise<unknown> = Promise.resolve();

  const untilTaken = async (event: ChatEvent): Promise<Reaction> => {
    for (let attempt = 1; !end.signal.aborted; attempt += 1) {
      const reaction = await onEvent(event).catch((error: unknown) => {
        if (attempt === 1) log("warn", "What somebody did in a chat could not be stored; it is tried again.", { error: String(error) });
      });
      if (typeof reaction === "object") {
        store.events = store.events.filter(({ id }) => id !== event.id);
        if (event.action === undefined) store.taken = [...store.taken, event.id].slice(-maxKept);
        store.save();
        await store.written().catch(() => {});
        inHand.delete(event.id);
        return reaction;
      }
      await pause(clock, again, end.signal);
    }
    return {};
  };
  const start = (event: ChatEvent): Promise<Reaction> => {
    inHand.add(event.id);
    const taken = turn.then(() => untilTaken(event));
    turn = taken;
    return taken;
  };
  const tellLate = (event: ChatEvent, taken: Promise<Reaction>) => {
    turn = taken.then((reaction) => onLate(event, reaction)).catch(() => {});
  };
  return {
    async take(event) {
      // The service tells of it again if it was not told in time that it was received, as when the desk was restarted.
      if (inHand.has(event.id) || store.taken.includes(event.id)) return {};
      if (store.events.length < maxKept) {
        store.events = [...store.events, event];
        store.save();
        // Where it can't be kept, it may take effect all the same.
        await store.written().catch(() => {});
      }
      const waited = new AbortController();
      const taken = start(event);
      const reaction = await Promise.race([taken, pause(clock, late, waited.signal)]);
      waited.abort();
      if (reaction === undefined) tellLate(event, taken);
      return reaction ?? {};
    },
    resume() {
      for (const event of store.events) if (!inHand.has(event.id)) tellLate(event, start(event));
    },
    async close() {
      end.abort();
      await turn;
    },
  };
}
