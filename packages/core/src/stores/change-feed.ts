import type { StoreChange } from "../ports/store.ts";

/** Publishes a store's changes to its subscribers. */
export interface ChangeFeed {
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Publishes a change that is already durable. `record` is created for each listener, so that none can change what another sees. */
  publish(change: Omit<StoreChange, "record">, record?: () => NonNullable<StoreChange["record"]>): void;
  /** Removes all listeners. */
  close(): void;
}

/**
 * Every listener gets every change, in order of publishing, even if a listener causes further changes. Errors thrown by a listener are
 * ignored.
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
        // A failing subscriber must neither undo what is stored nor keep the event from the others.
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
