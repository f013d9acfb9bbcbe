import type { SessionStore, StoreChange } from "../../ports/store.ts";
import type { Draft } from "../../session/draft.ts";
import type { SessionRecord } from "../../session/record.ts";
import { assertEqual, type ContractCase } from "../contract.ts";
import { aRecord } from "../fixtures.ts";

/** What a store's author gives to `storeContract`; each case takes a harness of its own and closes the stores it opened. */
export interface StoreHarness {
  /** Opens a store without any sessions. Called once. */
  open(): Promise<SessionStore>;
}

/** What the author of a store that outlives its process gives to `durableStoreContract` and `severalWritersContract`. */
export interface DurableStoreHarness extends StoreHarness {
  /** Opens the data of `open` once more, as another process would: for `durableStoreContract` after the first store was closed, for `severalWritersContract` beside it. */
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

/** The id of the nth session of a case; ids sort as their numbers do. */
export const sessionId = (number: number): string => `contract${String(number).padStart(6, "0")}xyz`;

/** The nth session of a case, created n seconds after a fixed time. */
export function numbered(number: number, overrides: Partial<SessionRecord> = {}): SessionRecord {
  return aRecord({ id: sessionId(number), createdAt: startOfTime + number * 1_000, ...overrides });
}

export const startOfTime = 1_700_000_000_000;

/** A numbered session with other facts about its asker. */
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

/** Inserts all at once and sees that each went in. */
export async function insertAll(store: SessionStore, records: readonly SessionRecord[]): Promise<void> {
  const results = await Promise.all(records.map((record) => store.insert(record)));
  for (const [index, result] of results.entries())
    assertEqual(result, { inserted: true }, `what came of inserting session ${index} of the case`);
}

export async function assertStored(store: SessionStore, record: SessionRecord, message: string): Promise<void> {
  assertEqual(await store.get(record.id), record, message);
}

/** Waits for changes without a clock: each is kept, and `until` resolves as soon as enough have come. */
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
