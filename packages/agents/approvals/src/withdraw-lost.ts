import type { Broker, Clock, Log, SessionStore } from "@askbox/core";
import { heldTools } from "./asking.ts";

const held: readonly (string | undefined)[] = Object.values(heldTools);

/** How often it looks whether another hub is gone, in ms. */
const interval = 2_000;
/** How long a killed hub counts as alive, in ms, and a margin. As long, a request that is asked again is waited for. */
const presumedAlive = 10_000;

export interface LostOptions {
  store: SessionStore;
  broker: Pick<Broker, "peers" | "withdrawLost">;
  clock: Pick<Clock, "setTimer" | "monotonic">;
  /** Whether other hubs use the store. */
  isShared: boolean;
  log: Log;
}

/**
 * Withdraws the approvals and forms that a killed hub left pending: their hooks ended with it, so nobody would receive an answer. At the
 * start, and again once each killed hub no longer counts as alive. What its client may ask again under the same name is left alone the
 * first time. Resolves after the first time; returns a function that ends it.
 */
export async function withdrawLost({ store, broker, clock, isShared, log }: LostOptions): Promise<() => void> {
  const isLeft = await withdrawAll({ store, broker }, false);
  if (!isShared && !isLeft) return () => {};
  let known = new Set<string>();
  /** When to look next; the hub that left something may have been killed just now. */
  let due = clock.monotonic() + presumedAlive;
  let isClosed = false;
  let cancel = () => {};
  const look = async () => {
    const now = clock.monotonic();
    const present = new Set(broker.peers().map(({ id }) => id));
    const isAnyGone = [...known].some((id) => !present.has(id));
    known = present;
    if (isAnyGone || due <= now) {
      try {
        await withdrawAll({ store, broker }, !isAnyGone);
        if (!isShared) return;
        due = isAnyGone ? now + presumedAlive : Number.POSITIVE_INFINITY;
      } catch (error) {
        due = now;
        log("debug", "The requests of a killed hub could not be withdrawn; trying again", { error: String(error) });
      }
    }
    later();
  };
  const later = () => {
    if (!isClosed) cancel = clock.setTimer(interval, () => void look());
  };
  later();
  return () => {
    isClosed = true;
    cancel();
  };
}

/** `isWhole`: also what may be asked again. Resolves with whether some of that was left. */
async function withdrawAll({ store, broker }: Pick<LostOptions, "store" | "broker">, isWhole: boolean): Promise<boolean> {
  let isLeft = false;
  let cursor: string | undefined;
  do {
    const found = await store.list({ states: ["pending"], order: "oldest", limit: 1_000, cursor });
    for (const { id, asker, requests } of found.sessions) {
      if (!held.includes(asker.tool)) continue;
      if (!isWhole && requests.ask !== undefined) isLeft = true;
      else await broker.withdrawLost(id, "The hub stopped before anybody decided.");
    }
    cursor = found.next;
  } while (cursor !== undefined);
  return isLeft;
}
