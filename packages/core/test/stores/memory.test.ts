import { memoryStore } from "@askbox/core";
import { anOutcome, aRecord, settled } from "@askbox/core/testing";
import { expect, test } from "vitest";

test("a memory store reports its durability", () => {
  expect(memoryStore().durability).toEqual({
    level: "none",
    description: "Sessions are kept in memory and are lost when the process ends.",
  });
});

test("a closed store rejects everything, and notifies nobody", async () => {
  const store = memoryStore();
  const told: unknown[] = [];
  store.subscribe((change) => void told.push(change));
  await store.insert(aRecord());
  await store.close();
  const { id } = aRecord();
  const work = [
    () => store.insert(aRecord({ id: "other" })),
    () => store.get(id),
    () => store.replace(settled(aRecord()), 1),
    () => store.list({}),
    async () => store.count?.({}),
    () => store.due(0, 1),
    () => store.remove({ closedBefore: 0 }),
    () => store.getDraft(id),
    () => store.putDraft({ sessionId: id, revision: 1, fields: {}, updatedAt: 0, by: { surface: "web" } }, 0),
    () => store.removeDraft(id),
    () => store.listDrafts(),
  ];
  for (const each of work) {
    await expect(each()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", message: "The store is closed; open it again." });
  }
  expect(told).toHaveLength(1);
});

test("overdue sessions with the same time are ordered by id, and limited to the requested number", async () => {
  const store = memoryStore();
  for (const id of ["b", "c", "a"]) await store.insert(aRecord({ id, context: { deadlineAt: 5 } }));
  expect(await store.due(5, 2)).toEqual([
    { id: "a", deadlineAt: 5 },
    { id: "b", deadlineAt: 5 },
  ]);
  const [a] = (await store.list({ idPrefix: "a" })).sessions;
  if (a !== undefined) await store.replace({ ...a, revision: 2, context: { deadlineAt: 6 } }, 1);
  expect((await store.due(6, 9)).map(({ id }) => id)).toEqual(["b", "c", "a"]);
});

test("a key is free again when its session is settled, and a settled session cannot use one", async () => {
  const store = memoryStore();
  const first = aRecord({ id: "first", key: "k" });
  await store.insert(first);
  expect(await store.insert(aRecord({ id: "second", key: "k" }))).toMatchObject({ inserted: false, existing: { id: "first" } });
  expect(await store.insert(settled(aRecord({ id: "settled", key: "k" })))).toEqual({ inserted: true });
  expect((await store.insert(aRecord({ id: "keyless" }))).inserted).toBe(true);
  await store.replace(settled(first), 1);
  expect((await store.insert(aRecord({ id: "third", key: "k" }))).inserted).toBe(true);
  expect((await store.insert(aRecord({ id: "fourth", key: "k", owner: "owner-2" }))).inserted).toBe(true);
});

test("removing a session removes its draft, and is reported with the rest afterwards", async () => {
  const store = memoryStore();
  const record = aRecord();
  await store.insert(record);
  await store.putDraft({ sessionId: record.id, revision: 1, fields: {}, updatedAt: 0, by: { surface: "web" } }, 0);
  await store.replace(settled(record, anOutcome({ at: 5 })), 1);
  await store.insert(settled(aRecord({ id: "b" }), anOutcome({ at: 5 })));
  const told: unknown[] = [];
  store.subscribe(({ id, revision }) => void told.push([id, revision]));
  expect([await store.remove({ closedBefore: 5 }), await store.remove({ closedBefore: 6 })]).toEqual([0, 2]);
  expect(told).toEqual([
    [record.id, 0],
    ["b", 0],
  ]);
  await store.insert(record);
  expect(await store.getDraft(record.id)).toBeUndefined();
});

test("the last page has no field for the next one", async () => {
  const store = memoryStore();
  await store.insert(aRecord());
  expect(await store.list({})).toStrictEqual({ sessions: [aRecord()] });
});

test("await using closes it", async () => {
  const store = memoryStore();
  {
    await using _ = store;
    await store.insert(aRecord());
  }
  await expect(store.list({})).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});
