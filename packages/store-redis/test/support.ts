import type { SessionStore } from "@askbox/core";
import type { StoreChange } from "@askbox/core/stores";
import { vi } from "vitest";

/** Polls until the condition holds; throws after 90 s. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(isSo, { timeout: 90_000, interval: 10 });
}

/** All changes that the store publishes from now on. */
export function collect(store: SessionStore): StoreChange[] {
  const changes: StoreChange[] = [];
  store.subscribe((change) => changes.push(change));
  return changes;
}

export const briefly = (changes: readonly StoreChange[]): string[] => changes.map(({ id, revision }) => `${id}@${revision}`);
