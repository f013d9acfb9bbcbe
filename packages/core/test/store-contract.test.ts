import { describe, expect, test } from "vitest";
import { memoryStore, type SessionStore, type Tally } from "../src/index.ts";
import { storeContract } from "../src/testing/index.ts";

/** Stores that each violate one case. */
const broken: Record<string, (store: SessionStore) => Partial<SessionStore>> = {
  "replaces whatever the revision": (store) => ({
    replace: async (record) => store.replace(record, (await store.get(record.id))?.revision ?? 0),
  }),
  "inserts over what is there": (store) => ({
    insert: async (record) => {
      const result = await store.insert(record);
      if (!result.inserted) await store.replace(record, result.existing.revision);
      return result;
    },
  }),
  "ignores keys": (store) => ({ insert: ({ key: _, ...record }) => store.insert(record) }),
  "ends every list after one page": (store) => ({ list: async (query) => ({ sessions: (await store.list(query)).sessions }) }),
  "lists in one order only": (store) => ({ list: ({ order: _, ...query }) => store.list(query) }),
  "matches the case of a text": (store) => ({
    list: async (query) => {
      const page = await store.list(query);
      return { ...page, sessions: page.sessions.filter((session) => JSON.stringify(session).includes(query.text ?? "")) };
    },
  }),
  "misses the deadline that is exactly now": (store) => ({ due: (until, limit) => store.due(until - 0.001, limit) }),
  "removes one millisecond too much": (store) => ({ remove: ({ closedBefore }) => store.remove({ closedBefore: closedBefore + 1 }) }),
  "keeps the drafts' revision to itself": (store) => ({
    putDraft: async (draft) => store.putDraft(draft, (await store.getDraft(draft.sessionId))?.revision ?? 0),
  }),
  "tells changes twice": (store) => ({
    subscribe: (listener) =>
      store.subscribe((change) => {
        listener(change);
        listener(change);
      }),
  }),
  "never unsubscribes": (store) => ({
    subscribe: (listener) => {
      store.subscribe(listener);
      return () => {};
    },
  }),
  "loses what follows a NUL": (store) => ({
    insert: (record) => store.insert({ ...record, asker: { ...record.asker, project: record.asker.project?.split("\u0000")[0] ?? "" } }),
  }),
  "loses entries of the record": (store) => ({ replace: (record, revision) => store.replace(record, revision) }),
  "takes any entry of the record": (store) => ({
    insert: (record, { entry } = {}) => store.insert(record, entry && { entry }).catch(() => store.insert(record)),
  }),
  "lists an entry twice": (store) => ({
    audit: { ...store.audit, list: (after, limit) => store.audit.list(Math.max(after - 1, 0), limit) },
  }),
  "counts withdrawn questions as declined": (store) => ({
    tally: async (days) => {
      const tally = (await store.tally?.(days)) as Tally;
      const { cancelled, withdrawn } = tally.counts;
      return { ...tally, counts: { ...tally.counts, cancelled: cancelled + withdrawn, withdrawn: 0 } };
    },
  }),
  "works on after it was closed": () => ({ close: async () => {} }),
};

describe("the store contract", () => {
  for (const [flaw, breakIt] of Object.entries(broken)) {
    test(`catches a store that ${flaw}`, async () => {
      const open = async () => {
        const store = memoryStore();
        return { ...store, ...breakIt(store) };
      };
      const verdicts = await Promise.allSettled(storeContract.map((contractCase) => contractCase.run({ open })));
      expect(verdicts.filter(({ status }) => status === "rejected")).not.toHaveLength(0);
    });
  }

  test("has a unique name for each case", () => {
    const names = storeContract.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
