import type { Draft } from "../session/draft.ts";
import type { SessionRecord, SessionState } from "../session/record.ts";

/** How durable accepted changes are. `disk`: on disk before the promise resolves. */
export interface Durability {
  level: "none" | "disk" | "replicated" | "unsure";
  /** One sentence for `hub status` and `doctor`. */
  description: string;
}

/** Which sessions to list; every given filter must match. */
export interface StoreQuery {
  states?: readonly SessionState[] | undefined;
  owner?: string | undefined;
  scope?: string | undefined;
  digest?: string | undefined;
  key?: string | undefined;
  project?: string | undefined;
  agentId?: string | undefined;
  clientName?: string | undefined;
  machine?: string | undefined;
  /** Sessions with an undelivered outcome, reply after the deadline, or message from a person. */
  undelivered?: boolean | undefined;
  /** Wall time: only sessions settled at or after it. */
  closedSince?: number | undefined;
  /** Words that must all be found, ignoring case, in questions, options, answers, messages, project, branch, machine, agent or client. */
  text?: string | undefined;
  /** Only sessions whose id starts with it. */
  idPrefix?: string | undefined;
  /** 1–1,000; default 100. */
  limit?: number | undefined;
  /** `next` of the previous page. */
  cursor?: string | undefined;
  /** By `createdAt`, then id. Default `newest`. */
  order?: "newest" | "oldest" | undefined;
  /**
   * Returns whether the caller does not need a session, by id. A store may omit those to avoid reading them, which may make a page shorter,
   * or may include them anyway.
   */
  skip?: ((id: string) => boolean) | undefined;
}

/** One page of `SessionStore.list`. */
export interface StorePage {
  sessions: SessionRecord[];
  /** Cursor of the next page; absent on the last. A store may end a long search early, with a short or empty page that has a next one. */
  next?: string | undefined;
}

/** One change of a session, published once it is durable. */
export interface StoreChange {
  id: string;
  /** The session's new revision; 0 if it was removed. */
  revision: number;
  /** The record itself, if the store has it available. */
  record?: SessionRecord | undefined;
}

/** Options of `SessionStore.insert`. */
export interface InsertOptions {
  /**
   * Added to the record of approvals if the session is written, in the same transaction. If it isn't the next entry, the call rejects with
   * `CONFLICT` and writes nothing.
   */
  entry?: AuditEntry | undefined;
}

/** Options of `SessionStore.replace`. */
export interface ReplaceOptions extends InsertOptions {
  /** Not urgent: a store that batches writes may delay it up to 50 ms, so that it shares a commit with another write. */
  unhurried?: boolean | undefined;
}

/** Which settled sessions to remove, by the time they were closed (wall time). */
export interface RemoveFilter {
  /** Sessions closed before this time. */
  closedBefore: number;
  /** The same for sessions that are not completely delivered. Default `closedBefore`; a later time counts as that. */
  undeliveredBefore?: number | undefined;
  /** The same for sessions that were withdrawn before anybody saw them. Default `closedBefore`; an earlier time counts as that. */
  unseenBefore?: number | undefined;
}

/** Whether a record was inserted; if not, the existing record. */
export type InsertResult = { inserted: true } | { inserted: false; existing: SessionRecord };

/**
 * Stores sessions and drafts. Every method resolves only when its effect is as durable as `durability` says, and rejects with
 * `STORE_UNAVAILABLE` if that is not possible; nothing is changed in that case. Records are copied in and out. Times may have fractions of a millisecond, which must not be lost. Test an implementation with
 * `storeContract` from `@askbox/core/testing`.
 */
export interface SessionStore {
  readonly durability: Durability;
  /**
   * Adds a session. If its id exists, or a pending session of the same owner has its key, adds nothing and returns that session instead.
   */
  insert(record: SessionRecord, options?: InsertOptions): Promise<InsertResult>;
  get(id: string): Promise<SessionRecord | undefined>;
  /**
   * Compare-and-set: replaces the session if it still has `expectedRevision`, and returns whether it did. Removes its draft once it is
   * settled.
   */
  replace(record: SessionRecord, expectedRevision: number, options?: ReplaceOptions): Promise<boolean>;
  list(query: StoreQuery): Promise<StorePage>;
  count(query: Pick<StoreQuery, "states" | "owner" | "scope" | "agentId">): Promise<number>;
  /**
   * Counts the settled sessions that were asked on or after the first of these days, which are given by when they begin: wall time,
   * ascending. Yields to other work. Optional: without it, the broker reads the sessions. `tallier` does the counting.
   */
  tally?(days: readonly number[]): Promise<Tally>;
  /** Pending sessions with a deadline at or before `until` (wall time), soonest first. At most `limit`. */
  due(until: number, limit: number): Promise<{ id: string; deadlineAt: number }[]>;
  /** The record of approvals. */
  readonly audit: AuditLog;
  /**
   * Removes settled sessions for which `isRemovable` is true, and returns how many. Pending ones are never removed. From the record of
   * approvals, removes the oldest entries from before `undeliveredBefore`, but never the newest entry.
   */
  remove(filter: RemoveFilter): Promise<number>;
  getDraft(sessionId: string): Promise<Draft | undefined>;
  /**
   * Compare-and-set on the draft's revision; `expectedRevision` 0 means that there is none yet. Returns false if the session is not
   * pending, too.
   */
  putDraft(draft: Draft, expectedRevision: number): Promise<boolean>;
  /** Removes a draft, if there is one. */
  removeDraft(sessionId: string): Promise<void>;
  /** All drafts, oldest first; there are few enough to read at once. */
  listDrafts(): Promise<Draft[]>;
  /**
   * Publishes every change of a session, in revision order per session: changes made through this store, before their promise resolves, and,
   * if the store supports several processes, theirs too; of theirs, changes that a newer one has overtaken may be omitted. Returns a function
   * that unsubscribes.
   */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Throws `STORE_UNAVAILABLE` if nothing can be written now; optional for a store that is always available. */
  check?(): Promise<void>;
  /**
   * Finishes what has begun and releases all resources. After that every method that reads or writes rejects with `STORE_UNAVAILABLE`, and
   * subscribers are no longer called; closing again does nothing.
   */
  close(): Promise<void>;
}

/** One entry of the record of approvals. Its hash covers its line, including the previous entry's hash. */
export interface AuditEntry {
  /** 1 for the first, then consecutive. */
  number: number;
  /** Wall time in ms since the epoch. */
  at: number;
  /** The previous entry's hash; 64 zeros for the first. */
  previous: string;
  /** SHA-256 as lower-case hex. */
  hash: string;
  /** The entry as one line of JSON, without a line break. */
  line: string;
}

/** The record of approvals, as stored. Entries are added with `insert` and `replace`, in the same transaction, and removed by `remove`. */
export interface AuditLog {
  /** The newest entry. It is never removed, so that the chain can continue from it. */
  last(): Promise<AuditEntry | undefined>;
  /** Entries with a higher number than `after`, oldest first, at most `limit`. */
  list(after: number, limit: number): Promise<AuditEntry[]>;
}

/** How sessions end; withdrawn by the asker is separate from declined by a person. */
export const endingKinds = ["answered", "cancelled", "withdrawn", "timedOut"] as const;
/** How a session ended. */
export type EndingKind = (typeof endingKinds)[number];
/** Sessions by how they ended. */
export type EndingCounts = Record<EndingKind, number>;

/** What became of calls that a model had denied: `stands` if nobody decided. */
export const denialKinds = ["overruled", "agreed", "stands"] as const;
/** What became of a denial. */
export type DenialKind = (typeof denialKinds)[number];

/** Sessions of one client or project. */
export interface TallyShare {
  /** The client's name, or the project's path; undefined for sessions without a project. */
  name?: string | undefined;
  counts: EndingCounts;
  total: number;
  /** Of the times to answer, in ms; undefined if nothing was answered. */
  median?: number | undefined;
}

/** How many answers took from `from` up to, but not including, `until`. */
export interface TallyBin {
  /** In ms. */
  from: number;
  /** In ms; undefined in the last bin, which has no end. */
  until?: number | undefined;
  count: number;
}

/** The settled sessions of a period. Quantiles are by nearest rank. */
export interface Tally {
  total: number;
  counts: EndingCounts;
  /** In the order of the days that were asked for. */
  days: { day: number; counts: EndingCounts }[];
  /** Of the times to answer, in ms; undefined if nothing was answered. */
  median?: number | undefined;
  p90?: number | undefined;
  bins: TallyBin[];
  /** The busiest first, at most 200. */
  clients: TallyShare[];
  /** The busiest first, at most 200. */
  projects: TallyShare[];
  /** Of calls that a model had denied, which count nowhere else; absent if there were none. */
  denials?: Record<DenialKind, number> | undefined;
}
