import type { SessionStore } from "@askbox/core";
import type { StoreChange } from "@askbox/core/stores";

/** Polls until the condition holds; throws after 20 s. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 90_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error("The condition did not hold within 20 s.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** All changes that the store publishes from now on. */
export function collect(store: SessionStore): StoreChange[] {
  const changes: StoreChange[] = [];
  store.subscribe((change) => changes.push(change));
  return changes;
}

export const briefly = (changes: readonly StoreChange[]): string[] => changes.map(({ id, revision }) => `${id}@${revision}`);
