import type { Clock, SessionStore } from "@askbox/core";

/** Wraps a store and reports the name and duration in ms of each operation, including failed ones. */
export function timedStore(store: SessionStore, clock: Clock, report: (operation: string, milliseconds: number) => void): SessionStore {
  const timed = async <Result>(operation: string, work: () => Promise<Result>): Promise<Result> => {
    const began = clock.monotonic();
    try {
      return await work();
    } finally {
      report(operation, clock.monotonic() - began);
    }
  };
  const { tally } = store;
  return {
    get durability() {
      return store.durability;
    },
    audit: store.audit,
    insert: (record, options) => timed("insert", () => store.insert(record, options)),
    get: (id) => timed("get", () => store.get(id)),
    replace: (record, expectedRevision, options) => timed("replace", () => store.replace(record, expectedRevision, options)),
    list: (query) => timed("list", () => store.list(query)),
    count: (query) => timed("count", () => store.count(query)),
    ...(tally !== undefined && { tally: (days) => timed("tally", () => tally.call(store, days)) }),
    due: (until, limit) => timed("due", () => store.due(until, limit)),
    remove: (filter) => timed("remove", () => store.remove(filter)),
    getDraft: (sessionId) => timed("getDraft", () => store.getDraft(sessionId)),
    putDraft: (draft, expectedRevision) => timed("putDraft", () => store.putDraft(draft, expectedRevision)),
    removeDraft: (sessionId) => timed("removeDraft", () => store.removeDraft(sessionId)),
    listDrafts: () => timed("listDrafts", () => store.listDrafts()),
    ...(store.check !== undefined && { check: () => store.check?.() ?? Promise.resolve() }),
    subscribe: (listener) => store.subscribe(listener),
    close: () => store.close(),
  };
}
