import type { Draft } from "../session/draft.ts";
import type { SessionRecord, SessionState } from "../session/record.ts";
import type { AuditEntry, AuditLog } from "./audit.ts";

/** How far what the store has accepted survives. `disk`: on disk before the promise resolves. */
export interface Durability {
  level: "none" | "disk" | "replicated" | "unsure";
  /** One sentence for `hub status` and `doctor`. */
  description: string;
}

/** Which sessions to list; every filter that is given must hold. */
export interface StoreQuery {
  states?: readonly SessionState[] | undefined;
  owner?: string | undefined;
  scope?: string | undefined;
  digest?: string | undefined;
  key?: string | undefined;
  project?: string | undefined;
  agentId?: string | undefined;
  clientName?: string | undefined;
  /** Sessions of which the asker has not been given the outcome, the reply after it, or what a person asked back. */
  undelivered?: boolean | undefined;
  /** Wall time: only sessions settled at or after it. */
  closedSince?: number | undefined;
  /** Text to be found, ignoring case, in title, questions, answers, thread, project, branch, agent or client. */
  text?: string | undefined;
  /** Only sessions whose id starts with it. */
  idPrefix?: string | undefined;
  /** 1–1,000; default 100. */
  limit?: number | undefined;
  /** `next` of the page before. */
  cursor?: string | undefined;
  /** By `createdAt`, then id. Default `newest`. */
  order?: "newest" | "oldest" | undefined;
  /**
   * Tells of sessions, by id, that the caller has no use for. A store may leave those out, where it need not read them then; a page may be shorter for
   * it. It may as well give them.
   */
  passOver?: ((id: string) => boolean) | undefined;
}

/** One page of `SessionStore.list`. */
export interface StorePage {
  sessions: SessionRecord[];
  /** Cursor of the next page; absent on the last. A store may end a long search early, with a page that is short or empty and has a next one. */
  next?: string | undefined;
}

/** One change of a session, told after it is durable. */
export interface StoreChange {
  id: string;
  /** The revision it now has; 0 when it was removed. */
  revision: number;
  /** The record itself, where the store has it at hand. */
  record?: SessionRecord | undefined;
}

/** Options of `SessionStore.insert`. */
export interface InsertOptions {
  /** Is added to the record of approvals if the session is written, in the same transaction. Rejects with `CONFLICT`, and writes nothing, if it isn't the next entry. */
  entry?: AuditEntry | undefined;
}

/** Options of `SessionStore.replace`. */
export interface ReplaceOptions extends InsertOptions {
  /** Nobody waits for this: a store that writes in groups may keep it for up to 50 ms, so that it goes with the next write and costs no commit of its own. */
  unhurried?: boolean | undefined;
}

/** Which settled sessions to remove, each by when it was closed (wall time). */
export interface RemoveFilter {
  /** Sessions closed before. */
  closedBefore: number;
  /** The same for sessions of which the asker has not been given everything. Default `closedBefore`; a later time counts as that. */
  undeliveredBefore?: number | undefined;
  /** The same for sessions that their asker withdrew and nobody had seen. Default `closedBefore`; an earlier time counts as that. */
  unseenBefore?: number | undefined;
}

/** Whether a record was inserted; if not, the record that is in its place. */
export type InsertResult = { inserted: true } | { inserted: false; existing: SessionRecord };

/**
 * Where sessions and drafts live. Every method resolves only when its effect is as durable as `durability` says, and
 * rejects with `STORE_UNAVAILABLE` when that cannot be had; nothing is then changed. Records are copied in and out.
 * Prove an implementation with `storeContract` from `@askbox/core/testing`.
 */
export interface SessionStore {
  readonly durability: Durability;
  /**
   * Adds a session. When its id exists, or a pending session of the same owner has its key, nothing is added
   * and that session is returned instead.
   */
  insert(record: SessionRecord, options?: InsertOptions): Promise<InsertResult>;
  get(id: string): Promise<SessionRecord | undefined>;
  /** Compare-and-set: replaces the session if it still has `expectedRevision`, and says whether it did. Erases its draft once it is settled. */
  replace(record: SessionRecord, expectedRevision: number, options?: ReplaceOptions): Promise<boolean>;
  list(query: StoreQuery): Promise<StorePage>;
  count(query: Pick<StoreQuery, "states" | "owner" | "scope" | "agentId">): Promise<number>;
  /** Pending sessions with a deadline, soonest first, that is at or before `until` (wall time). At most `limit`. */
  due(until: number, limit: number): Promise<{ id: string; deadlineAt: number }[]>;
  /** The record of approvals. */
  readonly audit: AuditLog;
  /**
   * Removes settled sessions and tells how many; `isRemovable` says which. Pending ones are never removed. Of the record of approvals, the oldest entries go that are
   * from before `undeliveredBefore`, and never the newest.
   */
  remove(filter: RemoveFilter): Promise<number>;
  getDraft(sessionId: string): Promise<Draft | undefined>;
  /** Compare-and-set on the draft's revision; `expectedRevision` 0 means that there is none yet. False also when the session is not pending. */
  putDraft(draft: Draft, expectedRevision: number): Promise<boolean>;
  /** Removes a draft; none is no error. */
  removeDraft(sessionId: string): Promise<void>;
  /** All drafts, oldest first; few enough to be read whole. */
  listDrafts(): Promise<Draft[]>;
  /**
   * Tells every change of a session, in revision order for each: those made through this store, and, where the store is made for several
   * processes at once, theirs too; of theirs, one that a newer change has overtaken may be left out. Returns how to stop.
   */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Throws `STORE_UNAVAILABLE` when nothing could be written now; a store that is always there has no need of it. */
  check?(): Promise<void>;
  /**
   * Finishes what was begun and lets go of all resources. From then on every method that reads or writes rejects with `STORE_UNAVAILABLE`, and no
   * subscriber is told anything more; closing it again changes nothing.
   */
  close(): Promise<void>;
}
