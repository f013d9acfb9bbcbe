import { assert, assertEqual, assertRejects, type ContractCase } from "../contract.ts";
import { anOutcome, settled } from "../fixtures.ts";
import { assertStored, insertAll, numbered, type StoreHarness, sessionId, storeCase } from "./harness.ts";

/** `insert`, `get` and `replace`. */
export const sessionCases: readonly ContractCase<StoreHarness>[] = [
  storeCase("keeps a session exactly as inserted", async (store) => {
    const record = numbered(1, { key: "release", seenAt: 5 });
    assertEqual(await store.insert(record), { inserted: true }, "the first insert");
    await assertStored(store, record, "the session read back");
  }),

  storeCase("returns undefined for a session that was never inserted", async (store) => {
    assertEqual(await store.get(sessionId(1)), undefined, "an unknown session");
  }),

  storeCase("inserts an id once and returns the existing session the second time", async (store) => {
    const first = numbered(1);
    await store.insert(first);
    const again = await store.insert(numbered(1, { digest: "another" }));
    assertEqual(again, { inserted: false, existing: first }, "the second insert");
    await assertStored(store, first, "the session after it");
  }),

  storeCase("inserts an id once if two are inserted at the same moment", async (store) => {
    const results = await Promise.all([store.insert(numbered(1, { digest: "a" })), store.insert(numbered(1, { digest: "b" }))]);
    assertEqual(results.filter((result) => result.inserted).length, 1, "the number of inserts that went in");
    assertEqual(await store.count({}), 1, "the number of sessions");
  }),

  storeCase("joins a pending session of the same owner by its key", async (store) => {
    const first = numbered(1, { key: "release" });
    await store.insert(first);
    assertEqual(await store.insert(numbered(2, { key: "release" })), { inserted: false, existing: first }, "the second of that key");
    assertEqual(await store.get(sessionId(2)), undefined, "the session that joined");
  }),

  storeCase("gives a key to one of two sessions that claim it at the same moment", async (store) => {
    const results = await Promise.all([1, 2].map((number) => store.insert(numbered(number, { key: "release" }))));
    assertEqual(results.filter((result) => result.inserted).length, 1, "the number of inserts that went in");
  }),

  storeCase("separates the keys of different owners", async (store) => {
    await insertAll(store, [numbered(1, { key: "release" }), numbered(2, { key: "release", owner: "owner-2" })]);
  }),

  storeCase("distinguishes keys by every character", async (store) => {
    const keys = ["key", "KEY", "key ", "key\u0000", "key\u0000a", "k%y", "\ud800", "\ud801", "\\ud800", ""];
    await insertAll(
      store,
      keys.map((key, index) => numbered(index, { key })),
    );
  }),

  storeCase("accepts any number of sessions without a key", async (store) => {
    await insertAll(store, [numbered(1), numbered(2), numbered(3)]);
  }),

  storeCase("frees a key when its session settles", async (store) => {
    const first = numbered(1, { key: "release" });
    await store.insert(first);
    assert(await store.replace(settled(first), 1), "settling the first session should have been done");
    assertEqual(await store.insert(numbered(2, { key: "release" })), { inserted: true }, "the next session of that key");
  }),

  storeCase("is not changed by later changes to a record object", async (store) => {
    const record = numbered(1);
    const untouched = structuredCopy(record);
    await store.insert(record);
    record.asker.client.name = "changed after insert";
    await assertStored(store, untouched, "the session after its record was changed");
    const read = await store.get(untouched.id);
    assert(read !== undefined, "the session is gone");
    read.request.questions.length = 0;
    await assertStored(store, untouched, "the session after a copy was changed");
    const [listed] = (await store.list({})).sessions;
    assert(listed !== undefined, "the session is not listed");
    listed.context.deadlineAt = 1;
    await assertStored(store, untouched, "the session after a listed copy was changed");
    const next = settled(untouched);
    const nextUntouched = structuredCopy(next);
    await store.replace(next, 1);
    next.state = "cancelled";
    await assertStored(store, nextUntouched, "the session after the record of a replace was changed");
  }),

  storeCase("replaces a session that has the expected revision", async (store) => {
    const first = numbered(1);
    await store.insert(first);
    const second = settled(first);
    assertEqual(await store.replace(second, 1), true, "the replace");
    await assertStored(store, second, "the session after it");
  }),

  storeCase("changes nothing if the revision is stale", async (store) => {
    const first = numbered(1);
    await store.insert(first);
    const second = settled(first);
    await store.replace(second, 1);
    const late = settled(first, { kind: "cancelled", by: { surface: "cli" }, at: first.createdAt + 2_000 });
    assertEqual(await store.replace(late, 1), false, "the stale replace");
    await assertStored(store, second, "the session after it");
    assertEqual(await store.count({ states: ["cancelled"] }), 0, "the number of cancelled sessions");
  }),

  storeCase("replaces no session that does not exist", async (store) => {
    assertEqual(await store.replace(numbered(1), 1), false, "the replace");
    assertEqual(await store.get(sessionId(1)), undefined, "the session");
  }),

  // promise: one-outcome
  storeCase("lets exactly one of many concurrent replacements win", async (store) => {
    const first = numbered(1);
    await store.insert(first);
    const rivals = Array.from({ length: 20 }, (_, index) => settled(first, anOutcome({ by: { surface: "web", name: `rival ${index}` } })));
    const verdicts = await Promise.all(rivals.map((rival) => store.replace(rival, 1)));
    assertEqual(verdicts.filter((won) => won).length, 1, "the number of winners");
    const winner = rivals[verdicts.indexOf(true)];
    assert(winner !== undefined, "nobody won");
    await assertStored(store, winner, "the session after the race");
  }),

  storeCase("can change any field of a session except its id", async (store) => {
    const first = numbered(1, { key: "old" });
    await store.insert(first);
    const second = { ...numbered(9, { key: "new", owner: "o2", scope: "s2", digest: "d2", revision: 2 }), id: first.id };
    assertEqual(await store.replace(second, 1), true, "the replace");
    await assertStored(store, second, "the session after it");
    assertEqual((await store.list({ owner: "o2", scope: "s2", digest: "d2", key: "new" })).sessions, [second], "found by its new fields");
    assertEqual(await store.count({ owner: first.owner }), 0, "sessions of its old owner");
    await insertAll(store, [numbered(3, { key: "old" })]);
  }),

  storeCase("stores a thousand sessions and finds each", async (store) => {
    const records = Array.from({ length: 1_000 }, (_, index) => numbered(index, { digest: `digest-${index}` }));
    await insertAll(store, records);
    assertEqual(await store.count({}), 1_000, "the number of sessions");
    for (const record of records) await assertStored(store, record, record.id);
  }),

  storeCase("rejects everything with STORE_UNAVAILABLE once it is closed", async (store) => {
    await store.insert(numbered(1));
    await store.close();
    const calls: [string, () => Promise<unknown>][] = [
      ["insert", () => store.insert(numbered(2))],
      ["get", () => store.get(sessionId(1))],
      ["replace", () => store.replace(settled(numbered(1)), 1)],
      ["list", () => store.list({})],
      ["count", () => store.count({})],
      ["due", () => store.due(0, 1)],
      ["remove", () => store.remove({ closedBefore: 0 })],
      ["audit.last", () => store.audit.last()],
      ["audit.list", () => store.audit.list(0, 1)],
      ["getDraft", () => store.getDraft(sessionId(1))],
      ["removeDraft", () => store.removeDraft(sessionId(1))],
      ["listDrafts", () => store.listDrafts()],
    ];
    for (const [name, call] of calls) await assertRejects(call(), "STORE_UNAVAILABLE", `${name} on a closed store`);
  }),

  storeCase("finishes pending operations before it closes, and may be closed twice", async (store) => {
    const begun = store.insert(numbered(1));
    await store.close();
    assertEqual(await begun, { inserted: true }, "the insert that was begun");
    await store.close();
  }),
];

function structuredCopy<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
