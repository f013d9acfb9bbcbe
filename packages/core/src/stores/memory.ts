import { mustFollow } from "../audit/entry.ts";
import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import type { AuditEntry, SessionStore } from "../ports/store.ts";
import type { Draft } from "../session/draft.ts";
import type { SessionRecord } from "../session/record.ts";
import { createChangeFeed } from "./change-feed.ts";
import { type Entry, entryOf, MemoryIndex, recordOf, SortedList } from "./memory-index.ts";
import { removalTimes } from "./removal.ts";

/** A session in an index by one of its times. */
type Moment = { id: string; at: number };

const byMoment = (left: Moment, right: Moment) => left.at - right.at || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);

/**
 * Sessions and drafts in this process's memory; they are lost with it. Only a text search scans all sessions.
 *
 * @example
 * ```ts
 * import { memoryStore } from "@askbox/core";
 *
 * await using store = memoryStore();
 * const { sessions } = await store.list({ states: ["pending"] });
 * ```
 */
export function memoryStore(): SessionStore & AsyncDisposable {
  const entries = new Map<string, Entry>();
  const index = new MemoryIndex();
  const pendingKeys = new Map<string, string>();
  const deadlines = new SortedList<Moment>(byMoment);
  const closings = new SortedList<Moment>(byMoment);
  const drafts = new Map<string, { revision: number; updatedAt: number; body: string }>();
  const audit: AuditEntry[] = [];
  const feed = createChangeFeed();
  let closed = false;

  const assertOpen = () => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", "The store is closed; open it again.");
  };
  const put = (entry: Entry) => {
    entries.set(entry.id, entry);
    if (entry.state === "pending") {
      if (entry.key !== undefined) pendingKeys.set(keyOf(entry.owner, entry.key), entry.id);
      if (entry.deadlineAt !== null) deadlines.add({ id: entry.id, at: entry.deadlineAt });
    } else if (entry.closedAt !== null) closings.add({ id: entry.id, at: entry.closedAt });
  };
  const take = (entry: Entry) => {
    entries.delete(entry.id);
    if (entry.state === "pending") {
      if (entry.key !== undefined) pendingKeys.delete(keyOf(entry.owner, entry.key));
      if (entry.deadlineAt !== null) deadlines.remove({ id: entry.id, at: entry.deadlineAt });
    } else if (entry.closedAt !== null) closings.remove({ id: entry.id, at: entry.closedAt });
  };
  const keepEntry = (entry: AuditEntry | undefined) => {
    mustFollow(entry, audit.at(-1));
    if (entry !== undefined) audit.push({ ...entry });
  };
  const publish = (entry: Entry) => feed.publish({ id: entry.id, revision: entry.revision }, () => recordOf(entry));
  const holderOfKey = (record: SessionRecord) =>
    record.state === "pending" && record.key !== undefined ? pendingKeys.get(keyOf(record.owner, record.key)) : undefined;

  return {
    durability: { level: "none", description: "Sessions are kept in memory and are lost when the process ends." },

    async insert(record, { entry: recorded } = {}) {
      assertOpen();
      const present = entries.get(entries.has(record.id) ? record.id : (holderOfKey(record) ?? record.id));
      if (present !== undefined) return { inserted: false, existing: recordOf(present) };
      keepEntry(recorded);
      const entry = entryOf(record);
      put(entry);
      index.add(entry);
      publish(entry);
      return { inserted: true };
    },

    async get(id) {
      assertOpen();
      const entry = entries.get(id);
      return entry === undefined ? undefined : recordOf(entry);
    },

    async replace(record, expectedRevision, { entry: recorded } = {}) {
      assertOpen();
      const before = entries.get(record.id);
      if (before === undefined || before.revision !== expectedRevision) return false;
      keepEntry(recorded);
      const after = entryOf(record);
      take(before);
      put(after);
      index.replace(before, after);
      if (after.state !== "pending") drafts.delete(after.id);
      publish(after);
      return true;
    },

    async list(query) {
      assertOpen();
      const { entries: found, next } = index.list(query);
      const wanted = found.filter(({ id }) => query.skip?.(id) !== true);
      return { sessions: wanted.map(recordOf), ...defined({ next }) };
    },

    async count(query) {
      assertOpen();
      return index.count(query);
    },

    async tally(days) {
      assertOpen();
      // Loaded late, since only the inbox's numbers need it.
      const { tallier } = await import("./tally.ts");
      const counted = tallier(days);
      for (const { fact } of entries.values()) if (fact !== undefined) counted.add(fact);
      return counted.result();
    },

    async due(until, limit) {
      assertOpen();
      const due: { id: string; deadlineAt: number }[] = [];
      for (let next = deadlines.at(0); next !== undefined && next.at <= until && due.length < limit; next = deadlines.at(due.length)) {
        due.push({ id: next.id, deadlineAt: next.at });
      }
      return due;
    },

    async remove(filter) {
      assertOpen();
      const removed: string[] = [];
      const { delivered, undelivered, unseen } = removalTimes(filter);
      let kept = 0;
      for (let oldest = closings.at(0); oldest !== undefined && oldest.at < unseen; oldest = closings.at(kept)) {
        const entry = entries.get(oldest.id) as Entry;
        if (oldest.at >= (entry.isUnseenWithdrawal ? unseen : entry.undelivered ? undelivered : delivered)) {
          kept += 1;
          continue;
        }
        take(entry);
        index.remove(entry);
        drafts.delete(entry.id);
        removed.push(entry.id);
      }
      const expired = audit.findIndex(({ at }, place) => at >= undelivered || place === audit.length - 1);
      audit.splice(0, Math.max(expired, 0));
      for (const id of removed) feed.publish({ id, revision: 0 });
      return removed.length;
    },

    audit: {
      async last() {
        assertOpen();
        return copyOf(audit.at(-1));
      },
      async list(after, limit) {
        assertOpen();
        const from = after + 1 - (audit[0]?.number ?? 1);
        return audit.slice(Math.max(from, 0), Math.max(from, 0) + limit).map((entry) => ({ ...entry }));
      },
    },

    async getDraft(sessionId) {
      assertOpen();
      const draft = drafts.get(sessionId);
      return draft === undefined ? undefined : (JSON.parse(draft.body) as Draft);
    },

    async putDraft(draft, expectedRevision) {
      assertOpen();
      const { sessionId, revision, updatedAt } = draft;
      if (entries.get(sessionId)?.state !== "pending") return false;
      if ((drafts.get(sessionId)?.revision ?? 0) !== expectedRevision) return false;
      drafts.set(sessionId, { revision, updatedAt, body: JSON.stringify(draft) });
      return true;
    },

    async removeDraft(sessionId) {
      assertOpen();
      drafts.delete(sessionId);
    },

    async listDrafts() {
      assertOpen();
      const oldestFirst = [...drafts.values()].sort((left, right) => left.updatedAt - right.updatedAt);
      return oldestFirst.map(({ body }) => JSON.parse(body) as Draft);
    },

    subscribe: feed.subscribe,

    async close() {
      closed = true;
      feed.close();
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };
}

const copyOf = (entry: AuditEntry | undefined) => (entry === undefined ? undefined : { ...entry });
const keyOf = (owner: string, key: string) => JSON.stringify([owner, key]);
