import type { SessionStore, StoreChange } from "../../ports/store.ts";
import { assert, assertEqual, type ContractCase } from "../contract.ts";
import { anOutcome, settled } from "../fixtures.ts";
import { aDraft, collectChanges, insertAll, numbered, type StoreHarness, sessionId, storeCase } from "./harness.ts";

const briefly = (changes: readonly StoreChange[]) => changes.map(({ id, revision }) => `${id}@${revision}`);

/** `subscribe`. */
export const changeCases: readonly ContractCase<StoreHarness>[] = [
  storeCase("reports each change of a session once, in the order of its revisions", async (store) => {
    const { changes, until } = collectChanges(store);
    const first = numbered(1);
    await store.insert(first);
    const second = { ...first, revision: 2, context: { deadlineAt: null } };
    await store.replace(second, 1);
    const third = settled(second);
    await store.replace(third, 2);
    await until(3);
    assertEqual(
      briefly(changes),
      [1, 2, 3].map((revision) => `${first.id}@${revision}`),
      "the changes",
    );
    const records = [first, second, third];
    for (const [index, change] of changes.entries()) {
      if (change.record !== undefined) assertEqual(change.record, records[index], `the record that came with revision ${index + 1}`);
    }
  }),

  storeCase("reports a change only after it can be read", async (store) => {
    const seen: Promise<[number, number | undefined]>[] = [];
    const { until } = collectChanges(store);
    store.subscribe(({ id, revision }) => seen.push(readRevision(store, id).then((read) => [revision, read])));
    const record = numbered(1);
    await store.insert(record);
    await store.replace(settled(record), 1);
    await until(2);
    const reads = await Promise.all(seen);
    assertEqual(reads.length, 2, "the number of changes told");
    for (const [told, read] of reads) assert(read !== undefined && read >= told, `revision ${told} was told, but ${read} was read`);
  }),

  storeCase("reports its own change before the change's promise resolves", async (store) => {
    const { changes } = collectChanges(store);
    const record = numbered(1);
    await store.insert(record);
    assertEqual(briefly(changes), [`${record.id}@1`], "the changes after the insert");
    await store.replace(settled(record), 1);
    assertEqual(
      briefly(changes),
      [1, 2].map((revision) => `${record.id}@${revision}`),
      "the changes after the replacement",
    );
  }),

  storeCase("reports nothing if nothing changed", async (store) => {
    const record = numbered(1, { key: "k" });
    await store.insert(record);
    const { changes, until } = collectChanges(store);
    await store.insert(record);
    await store.insert(numbered(2, { key: "k" }));
    await store.replace(settled(record), 7);
    await store.putDraft(aDraft(record.id), 0);
    await store.remove({ closedBefore: Number.MAX_SAFE_INTEGER });
    await store.replace(settled(record), 1);
    await until(1);
    assertEqual(briefly(changes), [`${record.id}@2`], "the changes");
  }),

  storeCase("reports a removal as revision 0", async (store) => {
    await insertAll(store, [settled(numbered(1), anOutcome({ at: 1_000 })), numbered(2)]);
    const { changes, until } = collectChanges(store);
    await store.remove({ closedBefore: 2_000 });
    await until(1);
    assertEqual(changes, [{ id: sessionId(1), revision: 0 }], "the changes");
  }),

  storeCase("reports to all subscribers, and to none after it has unsubscribed", async (store) => {
    const early = collectChanges(store);
    const late = collectChanges(store);
    await insertAll(store, [numbered(1)]);
    await Promise.all([early.until(1), late.until(1)]);
    early.stop();
    early.stop();
    await insertAll(store, [numbered(2)]);
    await late.until(2);
    assertEqual(briefly(early.changes), [`${sessionId(1)}@1`], "what the one that left was told");
    assertEqual(briefly(late.changes), [`${sessionId(1)}@1`, `${sessionId(2)}@1`], "what the one that stayed was told");
  }),

  storeCase("subscribes the same listener twice if asked twice", async (store) => {
    let told = 0;
    const listener = () => {
      told += 1;
    };
    const stop = store.subscribe(listener);
    store.subscribe(listener);
    stop();
    const { until } = collectChanges(store);
    await insertAll(store, [numbered(1)]);
    await until(1);
    assertEqual(told, 1, "calls of the listener that is still subscribed once");
  }),

  storeCase("is not affected by a subscriber that throws", async (store) => {
    store.subscribe(() => {
      throw new Error("a subscriber of its own kind");
    });
    const { changes, until } = collectChanges(store);
    await insertAll(store, [numbered(1)]);
    await until(1);
    assertEqual(briefly(changes), [`${sessionId(1)}@1`], "what the other subscriber was told");
    assertEqual(await store.count({}), 1, "the number of sessions");
  }),

  storeCase("keeps the order for every subscriber if one of them causes the next change", async (store) => {
    const record = numbered(1);
    let replaced: Promise<boolean> | undefined;
    store.subscribe(({ revision }) => {
      if (revision === 1) replaced = store.replace(settled(record), 1);
    });
    const { changes, until } = collectChanges(store);
    await store.insert(record);
    await until(2);
    assertEqual(await replaced, true, "the replace out of the subscriber");
    assertEqual(briefly(changes), [`${record.id}@1`, `${record.id}@2`], "what the other subscriber was told");
  }),

  storeCase("is not changed by what a subscriber does to its record", async (store) => {
    const record = numbered(1);
    store.subscribe((change) => {
      if (change.record !== undefined) change.record.owner = "changed";
    });
    const { changes, until } = collectChanges(store);
    await store.insert(record);
    await until(1);
    assertEqual((await store.get(record.id))?.owner, "owner-1", "the stored owner");
    assertEqual(changes[0]?.record?.owner ?? "owner-1", "owner-1", "the owner told to another subscriber");
  }),
];

async function readRevision(store: SessionStore, id: string): Promise<number | undefined> {
  return (await store.get(id))?.revision;
}
