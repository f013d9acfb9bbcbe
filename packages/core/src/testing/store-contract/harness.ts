import type { SessionStore, StoreChange } from "../../ports/store.ts";
import type { Draft } from "../../session/draft.ts";
import type { SessionRecord } from "../../session/record.ts";
import { assertEqual, type ContractCase } from "../contract.ts";
import { aRecord } from "../fixtures.ts";

/** What a store's author passes to `storeContract`; each case gets its own harness and closes the stores it opened. */
export interface StoreHarness {
  /** Opens an empty store. Called once. */
  open(): Promise<SessionStore>;
}

/** What the author of a store that outlives its process passes to `durableStoreContract` and `severalWritersContract`. */
export interface DurableStoreHarness extends StoreHarness {
  /**
   * Opens the data of `open` again, like another process: for `durableStoreContract` after the first store was closed, for
   * `severalWritersContract` while it is open.
   */
  reopen(): Promise<SessionStore>;
}

export function storeCase(name: string, run: (store: SessionStore) => Promise<void>): ContractCase<StoreHarness> {
  return {
    name,
    async run(harness) {
      const store = await harness.open();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** The id of the nth session of a case; ids sort like their numbers. */
export const sessionId = (number: number): string => `contract${String(number).padStart(6, "0")}xyz`;

/** The nth session of a case, created n seconds after a fixed time. */
export function numbered(number: number, overrides: Partial<SessionRecord> = {}): SessionRecord {
  return aRecord({ id: sessionId(number), createdAt: startOfTime + number * 1_000, ...overrides });
}

export const startOfTime = 1_700_000_000_000;

/** A numbered session with a different asker. */
export function askedBy(number: number, asker: Partial<SessionRecord["asker"]>, overrides: Partial<SessionRecord> = {}): SessionRecord {
  const record = numbered(number, overrides);
  return { ...record, asker: { ...record.asker, ...asker } };
}

export function aDraft(sessionId: string, overrides: Partial<Draft> = {}): Draft {
  return {
    sessionId,
    revision: 1,
    fields: { q_text: { values: ["half-wri"] }, q_multi: { values: ["linux"], customText: "Pl" } },
    comment: "not yet sure",
    updatedAt: startOfTime + 5_000,
    by: { surface: "web", name: "ada" },
    ...overrides,
  };
}

/** Inserts all concurrently and checks that each was inserted. */
export async function insertAll(store: SessionStore, records: readonly SessionRecord[]): Promise<void> {
  const results = await Promise.all(records.map((record) => store.insert(record)));
  for (const [index, result] of results.entries())
    assertEqual(result, { inserted: true }, `what came of inserting session ${index} of the case`);
}

export async function assertStored(store: SessionStore, record: SessionRecord, message: string): Promise<void> {
  assertEqual(await store.get(record.id), record, message);
}

/** Waits for changes without a clock: changes are collected, and `until` resolves as soon as there are enough. */
export function collectChanges(store: SessionStore): { changes: StoreChange[]; until(count: number): Promise<void>; stop(): void } {
  const changes: StoreChange[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const stop = store.subscribe((change) => {
    changes.push(change);
    for (const { count, resolve } of waiting) if (changes.length >= count) resolve();
  });
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      if (changes.length >= count) resolve();
      else waiting.push({ count, resolve });
    });
  return { changes, until, stop };
}
