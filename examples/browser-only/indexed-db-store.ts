/** A custom store in the browser: sessions and drafts in IndexedDB, on disk before anybody is notified. */
import { AskboxError, type Draft, type SessionRecord, type SessionStore } from "@askbox/core";
import { type AuditEntry, mustFollow } from "@askbox/core/audit";
import {
  createChangeFeed,
  isRemovable,
  isUndelivered,
  pageCursor,
  pageLimit,
  readCursor,
  removalTimes,
  searchText,
} from "@askbox/core/stores";
import { matcherOf } from "./matcher.ts";
import type { Row } from "./row.ts";
import { inTransaction, openDatabase, result, walk } from "./transactions.ts";

/** A copy: later changes to the caller's record are not stored. */
function rowOf(session: SessionRecord): Row {
  const record = structuredClone(session);
  const { id, createdAt, closedAt, state, owner, key, context } = record;
  const isPending = state === "pending";
  return {
    id,
    createdAt,
    undelivered: isUndelivered(record),
    search: searchText(record),
    record,
    ...(isPending && key !== undefined && { pendingKey: [owner, key] }),
    ...(isPending && context.deadlineAt !== null && { dueAt: context.deadlineAt }),
    ...(closedAt !== null && { closedAt }),
  };
}

/** IndexedDB isolates each transaction from all others, in every tab, which is all that compare-and-set needs. */
export async function indexedDbStore(name: string): Promise<SessionStore> {
  const database = await openDatabase(name, (fresh, version) => {
    if (version < 2) fresh.createObjectStore("audit", { keyPath: "number" });
    if (version >= 1) return;
    const sessions = fresh.createObjectStore("sessions", { keyPath: "id" });
    sessions.createIndex("byTime", ["createdAt", "id"]);
    sessions.createIndex("byKey", "pendingKey", { unique: true });
    sessions.createIndex("byDeadline", "dueAt");
    sessions.createIndex("byClosing", "closedAt");
    fresh.createObjectStore("drafts", { keyPath: "sessionId" });
  });
  const feed = createChangeFeed();
  let closed = false;

  const run = <Result>(
    mode: IDBTransactionMode,
    work: (sessions: IDBObjectStore, drafts: IDBObjectStore, audit: IDBObjectStore) => Promise<Result>,
  ) => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", "The store is closed; open it again.");
    return inTransaction(database, mode, work);
  };
  const rowAt = (from: IDBObjectStore | IDBIndex, key: IDBValidKey) => result<Row | undefined>(from.get(key));
  const draftOf = (drafts: IDBObjectStore, sessionId: string) => result<Draft | undefined>(drafts.get(sessionId));
  /** The newest audit entry, or the oldest that isn't older than `since`. */
  const entryOf = async (audit: IDBObjectStore, direction: "next" | "prev", since = Number.NEGATIVE_INFINITY) => {
    let found: AuditEntry | undefined;
    await walk<AuditEntry>(audit.openCursor(null, direction), ({ value }) => {
      if (value.at < since) return true;
      found = value;
      return false;
    });
    return found;
  };
  const keepEntry = async (audit: IDBObjectStore, entry: AuditEntry | undefined) => {
    if (entry === undefined) return;
    mustFollow(entry, await entryOf(audit, "prev"));
    audit.add({ ...entry });
  };
  const publish = (record: SessionRecord) => feed.publish({ id: record.id, revision: record.revision }, () => structuredClone(record));

  return {
    durability: { level: "disk", description: "Sessions are kept in this browser, on disk before they are told." },

    async insert(record, { entry } = {}) {
      const row = rowOf(record);
      const present = await run("readwrite", async (sessions, _, audit) => {
        const rival = (await rowAt(sessions, row.id)) ?? (row.pendingKey && (await rowAt(sessions.index("byKey"), row.pendingKey)));
        if (rival !== undefined) return rival;
        await keepEntry(audit, entry);
        sessions.add(row);
        return undefined;
      });
      if (present !== undefined) return { inserted: false, existing: present.record };
      publish(row.record);
      return { inserted: true };
    },

    get: async (id) => (await run("readonly", (sessions) => rowAt(sessions, id)))?.record,

    async replace(record, expectedRevision, { entry } = {}) {
      const row = rowOf(record);
      const isDone = await run("readwrite", async (sessions, drafts, audit) => {
        if ((await rowAt(sessions, row.id))?.record.revision !== expectedRevision) return false;
        await keepEntry(audit, entry);
        sessions.put(row);
        if (row.record.state !== "pending") drafts.delete(row.id);
        return true;
      });
      if (isDone) publish(row.record);
      return isDone;
    },

    async list(query) {
      const { cursor, order, limit } = query;
      const after = cursor === undefined ? undefined : readCursor(cursor);
      const from = after && [after.createdAt, after.id];
      const range = from && (order === "oldest" ? IDBKeyRange.lowerBound(from, true) : IDBKeyRange.upperBound(from, true));
      const matches = matcherOf(query);
      const most = pageLimit(limit);
      const found: SessionRecord[] = [];
      const isMore = await run("readonly", (sessions) =>
        walk<Row>(sessions.index("byTime").openCursor(range, order === "oldest" ? "next" : "prev"), ({ value }) => {
          if (!matches(value)) return true;
          if (found.length < most) return found.push(value.record) > 0;
          return false;
        }),
      );
      const last = found.at(-1);
      return { sessions: found, ...(isMore && last !== undefined && { next: pageCursor(last) }) };
    },

    async count(query) {
      const matches = matcherOf(query);
      return run("readonly", async (sessions) => (await result<Row[]>(sessions.getAll())).filter(matches).length);
    },

    async due(until, limit) {
      const due: { id: string; deadlineAt: number }[] = [];
      await run("readonly", (sessions) =>
        walk<Row>(sessions.index("byDeadline").openCursor(IDBKeyRange.upperBound(until)), ({ value: { id, dueAt } }) => {
          if (dueAt === undefined || due.length >= limit) return false;
          return due.push({ id, deadlineAt: dueAt }) > 0;
        }),
      );
      return due;
    },

    async remove(filter) {
      const removed: string[] = [];
      await run("readwrite", async (_, __, audit) => {
        const kept = (await entryOf(audit, "next", removalTimes(filter).undelivered)) ?? (await entryOf(audit, "prev"));
        if (kept !== undefined) audit.delete(IDBKeyRange.upperBound(kept.number, true));
      });
      await run("readwrite", (sessions, drafts) =>
        walk<Row>(sessions.index("byClosing").openCursor(IDBKeyRange.upperBound(removalTimes(filter).unseen, true)), (cursor) => {
          if (!isRemovable(cursor.value.record, filter)) return true;
          removed.push(cursor.value.id);
          cursor.delete();
          drafts.delete(cursor.value.id);
          return true;
        }),
      );
      for (const id of removed) feed.publish({ id, revision: 0 });
      return removed.length;
    },

    audit: {
      last: async () => run("readonly", (_, __, audit) => entryOf(audit, "prev")),
      list: async (after, limit) =>
        run("readonly", (_, __, audit) => result<AuditEntry[]>(audit.getAll(IDBKeyRange.lowerBound(after, true), limit))),
    },

    getDraft: async (sessionId) => run("readonly", (_, drafts) => draftOf(drafts, sessionId)),

    async putDraft(next, expectedRevision) {
      const draft = structuredClone(next);
      return run("readwrite", async (sessions, drafts) => {
        if ((await rowAt(sessions, draft.sessionId))?.record.state !== "pending") return false;
        if (((await draftOf(drafts, draft.sessionId))?.revision ?? 0) !== expectedRevision) return false;
        drafts.put(draft);
        return true;
      });
    },

    removeDraft: async (sessionId) => run("readwrite", async (_, drafts) => void drafts.delete(sessionId)),

    listDrafts: async () => {
      const drafts = await run("readonly", (_, all) => result<Draft[]>(all.getAll()));
      return drafts.sort((left, right) => left.updatedAt - right.updatedAt);
    },

    subscribe: feed.subscribe,

    async close() {
      closed = true;
      feed.close();
      // Pending transactions still complete.
      database.close();
    },
  };
}
