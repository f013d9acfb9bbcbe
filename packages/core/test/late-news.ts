import type { Clock, SessionStore, SharedState } from "@askbox/core";

/** How what one hub publishes reaches another: each message after 0 to `most` ms, in any order, some of them twice. */
export interface LateNews {
  most: number;
  seed: number;
}

/** A hub's own handles on what it shares with others, whose changes and messages arrive late, out of order and twice. */
export function withLateNews<Own extends { store: SessionStore; shared: SharedState }>(
  { store, shared }: Own,
  clock: Pick<Clock, "setTimer">,
  { most, seed }: LateNews,
): { store: SessionStore; shared: SharedState } {
  const chance = fractions(seed);
  const later = (deliver: () => void) => void clock.setTimer(Math.floor(chance() * (most + 1)), deliver);
  const own = new Set<string>();
  const written = (id: string, revision: number) => own.add(`${id} ${revision}`);
  return {
    store: {
      ...store,
      get durability() {
        return store.durability;
      },
      insert(record, options) {
        written(record.id, record.revision);
        return store.insert(record, options);
      },
      replace(record, expected, options) {
        written(record.id, record.revision);
        return store.replace(record, expected, options);
      },
      subscribe(listener) {
        const newest = new Map<string, number>();
        return store.subscribe((change) => {
          const { id, revision } = change;
          const deliver = () => {
            // The contract of stores: in the order of revisions; changes that a newer one has overtaken may be omitted.
            const seen = newest.get(id) ?? 0;
            if (revision !== 0 && revision <= seen) return;
            newest.set(id, revision === 0 ? Number.POSITIVE_INFINITY : revision);
            listener(change);
          };
          if (own.delete(`${id} ${revision}`)) deliver();
          else later(deliver);
        });
      },
    },
    shared: {
      ...shared,
      subscribe: (topic, listener) =>
        shared.subscribe(topic, (message) => {
          later(() => listener(message));
          if (chance() < 0.3) later(() => listener(message));
        }),
    },
  };
}

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
function fractions(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
