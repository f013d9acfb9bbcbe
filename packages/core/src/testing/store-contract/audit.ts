import { noHash } from "../../audit/entry.ts";
import type { AuditEntry, SessionStore } from "../../ports/store.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { settled } from "../fixtures.ts";
import { assertStored, numbered, type StoreHarness, storeCase } from "./harness.ts";

const hashOf = (number: number) => (number === 0 ? noHash : String(number).padStart(64, "f"));

/** The nth entry of a case. Stores do not verify its hash. */
export function anEntry(number: number, overrides: Partial<AuditEntry> = {}): AuditEntry {
  return {
    number,
    at: number * 1_000,
    previous: hashOf(number - 1),
    hash: hashOf(number),
    line: `{"number":${number},"ö":"\\n"}`,
    ...overrides,
  };
}

/** Settles the nth session with the nth entry. */
export async function decide(store: SessionStore, number: number, overrides?: Partial<AuditEntry>): Promise<AuditEntry> {
  const entry = anEntry(number, overrides);
  const record = numbered(number);
  await store.insert(record);
  assert(await store.replace(settled(record), 1, { entry }), `session ${number} should have been settled`);
  return entry;
}

const numbersOf = async (store: SessionStore) => (await store.audit.list(0, 100)).map(({ number }) => number);

/** The contract for the record of approvals. */
export const auditCases: readonly ContractCase<StoreHarness>[] = [
  storeCase("has an empty audit log at first", async (store) => {
    assertEqual(await store.audit.last(), undefined, "the newest entry");
    assertEqual(await store.audit.list(0, 10), [], "the entries");
  }),

  storeCase("adds an entry with its session, whether that is inserted or replaced", async (store) => {
    const first = await decide(store, 1);
    assertEqual(await store.audit.last(), first, "the newest entry");
    const second = anEntry(2);
    await store.insert(settled(numbered(2)), { entry: second });
    assertEqual(await store.audit.last(), second, "the newest entry then");
    assertEqual(await store.audit.list(0, 10), [first, second], "the entries");
  }),

  storeCase("rejects an entry that isn't the next, with everything written along with it", async (store) => {
    const [one, two] = [numbered(11), numbered(12)];
    await store.insert(one);
    await assertRejects(store.replace(settled(one), 1, { entry: anEntry(2) }), "CONFLICT", "a first entry with the number 2");
    await decide(store, 1);
    for (const [entry, what] of [
      [anEntry(1), "a number that is taken"],
      [anEntry(3), "a number that leaves one out"],
      [anEntry(2, { previous: noHash }), "another entry before it"],
    ] as const) {
      await assertRejects(store.replace(settled(one), 1, { entry }), "CONFLICT", `replaced with ${what}`);
      await assertRejects(store.insert(two, { entry }), "CONFLICT", `inserted with ${what}`);
    }
    await assertStored(store, one, "the session that was not replaced");
    assertEqual(await store.get(two.id), undefined, "the session that was not inserted");
    assertEqual(await numbersOf(store), [1], "the entries");
  }),

  storeCase("adds no entry if its session isn't written", async (store) => {
    const record = numbered(1);
    await store.insert(record);
    assertEqual(await store.replace(settled(record), 7, { entry: anEntry(1) }), false, "a stale replace");
    assertEqual((await store.insert(numbered(1), { entry: anEntry(1) })).inserted, false, "whether the id was given twice");
    assertEqual(await numbersOf(store), [], "the entries");
  }),

  storeCase("lists entries after a number, oldest first", async (store) => {
    for (let number = 1; number <= 12; number += 1) await decide(store, number);
    const numbers = async (after: number, limit: number) => (await store.audit.list(after, limit)).map(({ number }) => number);
    assertEqual(await numbers(0, 3), [1, 2, 3], "the first page");
    assertEqual(await numbers(9, 100), [10, 11, 12], "the last page");
    assertEqual(await numbers(12, 10), [], "what comes after the newest");
  }),

  storeCase("removes the oldest entries, never the newest, and continues from there", async (store) => {
    for (let number = 1; number <= 3; number += 1) await decide(store, number);
    await store.remove({ closedBefore: 2_000, undeliveredBefore: 1_500 });
    assertEqual(await numbersOf(store), [2, 3], "those that are left");
    await store.remove({ closedBefore: 99_000 });
    assertEqual(await numbersOf(store), [3], "the one that is left");
    await decide(store, 4);
    assertEqual(await numbersOf(store), [3, 4], "the entries after one more");
    assertEqual(
      (await store.audit.list(3, 10)).map(({ number }) => number),
      [4],
      "those after the oldest that is left",
    );
  }),

  storeCase("removes no entry from the middle, even if a clock was wrong", async (store) => {
    await decide(store, 1, { at: 100 });
    await decide(store, 2, { at: 9_000 });
    await decide(store, 3, { at: 100 });
    await decide(store, 4);
    await store.remove({ closedBefore: 5_000 });
    assertEqual(await numbersOf(store), [2, 3, 4], "those that are left");
  }),
];
