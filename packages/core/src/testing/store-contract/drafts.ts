import { assertEqual, type ContractCase } from "../contract.ts";
import { settled } from "../fixtures.ts";
import { aDraft, insertAll, numbered, type StoreHarness, sessionId, storeCase } from "./harness.ts";

/** Drafts. */
export const draftCases: readonly ContractCase<StoreHarness>[] = [
  storeCase("keeps a draft exactly as stored", async (store) => {
    await insertAll(store, [numbered(1)]);
    const scheduled = { answers: [], by: { surface: "web" as const }, sendAt: 5 };
    const draft = aDraft(sessionId(1), { fields: { constructor: { skipped: true }, q: { note: "n" } }, scheduled });
    assertEqual(await store.putDraft(draft, 0), true, "the first put");
    assertEqual(await store.getDraft(sessionId(1)), draft, "the draft read back");
  }),

  storeCase("returns undefined for a draft that was never stored", async (store) => {
    await insertAll(store, [numbered(1)]);
    assertEqual(await store.getDraft(sessionId(1)), undefined, "no draft");
    assertEqual(await store.listDrafts(), [], "all drafts");
  }),

  storeCase("stores a draft only over the expected revision", async (store) => {
    await insertAll(store, [numbered(1)]);
    const first = aDraft(sessionId(1));
    const second = aDraft(sessionId(1), { revision: 2, comment: "second" });
    assertEqual(await store.putDraft(second, 1), false, "a change of a draft that does not exist");
    assertEqual(await store.putDraft(first, 0), true, "the first put");
    assertEqual(await store.putDraft(aDraft(sessionId(1), { comment: "rival" }), 0), false, "a second first put");
    assertEqual(await store.putDraft(second, 1), true, "the change");
    assertEqual(await store.putDraft(aDraft(sessionId(1), { revision: 2, comment: "late" }), 1), false, "a stale change");
    assertEqual(await store.getDraft(sessionId(1)), second, "the draft after all that");
  }),

  storeCase("lets exactly one of many concurrent writes win", async (store) => {
    await insertAll(store, [numbered(1)]);
    const rivals = Array.from({ length: 10 }, (_, index) => aDraft(sessionId(1), { comment: `rival ${index}` }));
    const verdicts = await Promise.all(rivals.map((rival) => store.putDraft(rival, 0)));
    assertEqual(verdicts.filter((won) => won).length, 1, "the number of winners");
    assertEqual(await store.getDraft(sessionId(1)), rivals[verdicts.indexOf(true)], "the draft after the race");
  }),

  storeCase("is not changed by later changes to a draft object", async (store) => {
    await insertAll(store, [numbered(1)]);
    const draft = aDraft(sessionId(1));
    await store.putDraft(draft, 0);
    draft.fields = {};
    const read = await store.getDraft(sessionId(1));
    if (read !== undefined) read.comment = "changed";
    assertEqual(await store.getDraft(sessionId(1)), aDraft(sessionId(1)), "the draft after both were changed");
  }),

  storeCase("accepts no draft for a settled or unknown session", async (store) => {
    await insertAll(store, [settled(numbered(1))]);
    assertEqual(await store.putDraft(aDraft(sessionId(1)), 0), false, "a draft for a settled session");
    assertEqual(await store.putDraft(aDraft(sessionId(2)), 0), false, "a draft for an unknown session");
    assertEqual(await store.listDrafts(), [], "all drafts");
  }),

  storeCase("deletes a draft when its session settles, and not before", async (store) => {
    const record = numbered(1);
    await insertAll(store, [record, numbered(2)]);
    await store.putDraft(aDraft(sessionId(1)), 0);
    await store.putDraft(aDraft(sessionId(2)), 0);
    const extended = { ...record, revision: 2, context: { deadlineAt: null } };
    await store.replace(extended, 1);
    assertEqual(await store.getDraft(sessionId(1)), aDraft(sessionId(1)), "the draft after its session was extended");
    assertEqual(await store.replace(settled(record), 1), false, "a stale settling");
    assertEqual(await store.getDraft(sessionId(1)), aDraft(sessionId(1)), "the draft after a stale settling");
    await store.replace(settled(extended), 2);
    assertEqual(await store.getDraft(sessionId(1)), undefined, "the draft after its session settled");
    assertEqual(await store.listDrafts(), [aDraft(sessionId(2))], "the drafts of other sessions");
  }),

  storeCase("removes a draft on request, and ignores a missing one", async (store) => {
    await insertAll(store, [numbered(1)]);
    await store.putDraft(aDraft(sessionId(1)), 0);
    await store.removeDraft(sessionId(1));
    assertEqual(await store.getDraft(sessionId(1)), undefined, "the removed draft");
    await store.removeDraft(sessionId(1));
    await store.removeDraft(sessionId(2));
    assertEqual(await store.putDraft(aDraft(sessionId(1)), 0), true, "a new draft after it");
  }),

  storeCase("lists all drafts, oldest first", async (store) => {
    const times = [3_000, 1_000, 2_000];
    await insertAll(
      store,
      times.map((_, index) => numbered(index)),
    );
    const drafts = times.map((updatedAt, index) => aDraft(sessionId(index), { updatedAt }));
    for (const draft of drafts) await store.putDraft(draft, 0);
    assertEqual(await store.listDrafts(), [drafts[1], drafts[2], drafts[0]], "all drafts");
  }),
];
