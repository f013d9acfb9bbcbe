import type { StoreChange } from "../ports/store.ts";

/** Tells a store's changes to its subscribers. */
export interface ChangeFeed {
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Tells a change that is durable already. `record` is made again for each listener, so that none can change what another sees. */
  publish(change: Omit<StoreChange, "record">, record?: () => NonNullable<StoreChange["record"]>): void;
  /** Lets go of all listeners. */
  close(): void;
}

/**
 * Every listener gets every change, in the order of publishing, also when a listener itself causes further changes. What a
 * listener throws is its own affair and reaches nobody.
 */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: StoreChange) => void>();
  const waiting: (() => void)[] = [];
  let publishing = false;

  const publish = (change: Omit<StoreChange, "record">, record: (() => NonNullable<StoreChange["record"]>) | undefined) => {
    for (const listener of [...listeners]) {
      if (!listeners.has(listener)) continue;
      try {
        listener(record === undefined ? { ...change } : { ...change, record: record() });
      } catch {
        // A subscriber's failure must neither undo what is stored nor keep the news from the others.
      }
    }
  };

  return {
    subscribe(listener) {
      const own = (change: StoreChange) => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    publish(change, record) {
      if (listeners.size === 0) return;
      waiting.push(() => publish(change, record));
      if (publishing) return;
      publishing = true;
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) next();
      publishing = false;
    },
    close: () => listeners.clear(),
  };
}
