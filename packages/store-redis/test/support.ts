import type { SessionStore } from "@askbox/core";
import type { StoreChange } from "@askbox/core/stores";

export { untilHolds as until } from "../../../tests/support/until.ts";

/** All changes that the store publishes from now on. */
export function collect(store: SessionStore): StoreChange[] {
  const changes: StoreChange[] = [];
  store.subscribe((change) => changes.push(change));
  return changes;
}

export const briefly = (changes: readonly StoreChange[]): string[] => changes.map(({ id, revision }) => `${id}@${revision}`);
