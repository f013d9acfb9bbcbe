import { assertEqual, type ContractCase } from "../contract.ts";
import { anOutcome, settled } from "../fixtures.ts";
import { aDraft, assertStored, insertAll, numbered, type StoreHarness, sessionId, storeCase } from "./harness.ts";

const dueAt = (number: number, deadlineAt: number | null) => numbered(number, { context: { deadlineAt } });
const closedAt = (number: number, at: number) => settled(numbered(number), anOutcome({ at }));

/** `due` and `remove`. */
export const deadlineCases: readonly ContractCase<StoreHarness>[] = [
  storeCase("returns overdue sessions, earliest first, up to and including the given time", async (store) => {
    await insertAll(store, [dueAt(1, 3_000), dueAt(2, 1_000), dueAt(3, 2_000.5), dueAt(4, 4_000)]);
    const expected = [
      { id: sessionId(2), deadlineAt: 1_000 },
      { id: sessionId(3), deadlineAt: 2_000.5 },
      { id: sessionId(1), deadlineAt: 3_000 },
    ];
    assertEqual(await store.due(3_000, 10), expected, "due at 3,000");
    assertEqual(await store.due(3_000, 2), expected.slice(0, 2), "due with a limit");
    assertEqual(await store.due(3_000, 0), [], "due with a limit of 0");
    assertEqual(await store.due(999, 10), [], "due before the first");
    assertEqual((await store.due(Number.POSITIVE_INFINITY, 10)).length, 4, "due at any time");
  }),

  storeCase("never returns a session without a deadline", async (store) => {
    await insertAll(store, [dueAt(1, null)]);
    assertEqual(await store.due(Number.MAX_SAFE_INTEGER, 10), [], "due");
  }),

  storeCase("never returns a settled session as overdue", async (store) => {
    const record = dueAt(1, 1_000);
    await store.insert(record);
    await store.replace(settled(record), 1);
    assertEqual(await store.due(Number.MAX_SAFE_INTEGER, 10), [], "due");
  }),

  storeCase("follows a deadline that moves or is removed", async (store) => {
    const records = [dueAt(1, 1_000), dueAt(2, 2_000)] as const;
    await insertAll(store, records);
    await store.replace({ ...records[0], revision: 2, context: { deadlineAt: 3_000 } }, 1);
    assertEqual(
      (await store.due(5_000, 10)).map(({ id }) => id),
      [sessionId(2), sessionId(1)],
      "after one moved",
    );
    await store.replace({ ...records[1], revision: 2, context: { deadlineAt: null } }, 1);
    assertEqual(
      (await store.due(5_000, 10)).map(({ id }) => id),
      [sessionId(1)],
      "after the other went away",
    );
  }),

  // promise: retention
  storeCase("removes settled sessions closed before a time, and reports how many", async (store) => {
    await insertAll(store, [closedAt(1, 1_000), closedAt(2, 1_999), closedAt(3, 2_000), closedAt(4, 3_000)]);
    assertEqual(await store.remove({ closedBefore: 2_000 }), 2, "the number removed");
    assertEqual(
      (await store.list({ order: "oldest" })).sessions.map(({ id }) => id),
      [sessionId(3), sessionId(4)],
      "those that are left",
    );
    assertEqual(await store.get(sessionId(1)), undefined, "a removed session");
    assertEqual(await store.remove({ closedBefore: 2_000 }), 0, "the number removed by a second sweep");
  }),

  storeCase("keeps undelivered sessions for longer, and those withdrawn unseen for less time", async (store) => {
    const deliveredAt = (number: number, at: number) => ({ ...closedAt(number, at), delivery: { deliveredAt: at } });
    const by = { surface: "asker" as const };
    const withdrawn = (number: number, at: number) => ({
      ...settled(numbered(number), { kind: "cancelled" as const, by, at }),
      delivery: { deliveredAt: at },
    });
    const replied = { ...deliveredAt(9, 100), reply: { answers: [], by: { surface: "web" as const }, at: 1 } };
    await insertAll(store, [
      ...[deliveredAt(1, 500), deliveredAt(2, 1_500), closedAt(3, 99), closedAt(4, 100), closedAt(5, 500)],
      ...[withdrawn(6, 1_500), withdrawn(7, 2_000), { ...withdrawn(8, 1_500), seenAt: 1_400 }, replied],
    ]);
    const filter = { closedBefore: 1_000, undeliveredBefore: 100, unseenBefore: 2_000 };
    assertEqual(await store.remove(filter), 3, "the number removed");
    const left = async () => (await store.list({ order: "oldest" })).sessions.map(({ id }) => id);
    assertEqual(await left(), [2, 4, 5, 7, 8, 9].map(sessionId), "those that are left");
    assertEqual(await store.remove(filter), 0, "the number removed by a second sweep");
    // A time on the wrong side of `closedBefore` counts as `closedBefore`.
    assertEqual(await store.remove({ closedBefore: 1_000, undeliveredBefore: 3_000, unseenBefore: 0 }), 3, "the number removed then");
    assertEqual(await left(), [2, 7, 8].map(sessionId), "those that are left then");
  }),

  storeCase("continues past the sessions it keeps, however many", async (store) => {
    const kept = Array.from({ length: 450 }, (_, number) => closedAt(number + 1, 200));
    await insertAll(store, [...kept, { ...closedAt(451, 300), delivery: { deliveredAt: 300 } }]);
    assertEqual(await store.remove({ closedBefore: 1_000, undeliveredBefore: 100 }), 1, "the number removed");
    assertEqual(await store.get(sessionId(451)), undefined, "the one that was delivered");
  }),

  storeCase("never removes a pending session, however old", async (store) => {
    const record = numbered(1, { createdAt: 1 });
    const draft = aDraft(record.id);
    await store.insert(record);
    await store.putDraft(draft, 0);
    assertEqual(await store.remove({ closedBefore: Number.MAX_SAFE_INTEGER }), 0, "the number removed");
    await assertStored(store, record, "the pending session");
    assertEqual(await store.getDraft(record.id), draft, "its draft");
  }),

  storeCase("accepts the id of a removed session again", async (store) => {
    await insertAll(store, [closedAt(1, 1_000)]);
    await store.remove({ closedBefore: 2_000 });
    const next = numbered(1, { digest: "another" });
    await insertAll(store, [next]);
    await assertStored(store, next, "the new session of that id");
  }),
];
