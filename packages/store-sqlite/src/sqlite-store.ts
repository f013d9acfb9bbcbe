import { setImmediate } from "node:timers/promises";
import { AskboxError, type Clock, type Draft, type Log, type SessionRecord, type SessionStore, silentLog } from "@askbox/core";
import { type AuditEntry, mustFollow } from "@askbox/core/audit";
import type { DenialKind, EndingKind } from "@askbox/core/stores";
import {
  createChangeFeed,
  type Durability,
  type InsertResult,
  pageCursor,
  pageLimit,
  type ReplaceOptions,
  removalTimes,
  type StoreQuery,
  tallier,
} from "@askbox/core/stores";
import { CommitQueue, type CommitQueueOptions } from "./commit-queue.ts";
import { type Connection, fileIdentity, type Opener } from "./connection.ts";
import { countQuery, searchedRows } from "./list.ts";
import { openConnection, prepareDatabase, type SetAside } from "./open-database.ts";
import {
  auditColumns,
  auditRow,
  changingColumns,
  constantColumns,
  draftColumns,
  draftOf,
  draftRow,
  entryOf,
  exact,
  fromExact,
  pick,
  recordOf,
  sessionColumns,
  sessionRow,
  statements,
} from "./rows.ts";
import { SearchIndexer } from "./search-index.ts";
import { leavesConnectionSound, orStoreError, storeError } from "./sqlite-error.ts";

/**
 * A session store on one SQLite file.
 *
 * A file is checked and, if it is damaged, rebuilt before it is opened (`open-database.ts`). From then on there is one connection. Reads use it
 * at once, on this thread. Writes wait for each other, up to 20 ms, and are committed together (`commit-queue.ts`), so that the disk syncs once
 * for all of them; a change is confirmed, and published to this process' subscribers, only when it is on disk.
 *
 * Two writers never both win: a record is replaced only where the row still has the revision that the writer read, and an entry of the record of
 * approvals is added in the same transaction, or neither is. What can go wrong:
 * - The file is moved or deleted while it is open. It would go on taking writes that nobody finds again, so each commit looks whether it is there.
 * - The disk is full, or another process holds the lock. That passes: the write fails or waits, and the connection stays. After any other error
 *   it is closed, and the next operation opens another.
 * - One record can't be read. A list leaves it out and logs it; reading it by its id throws.
 */

/** Options of the SQLite store. */
export interface SqliteStoreOptions {
  /** The database file; it and its folder are created if missing. */
  path: string;
  /** Called with level warn when a damaged file was renamed or a record cannot be read. */
  log?: Log | undefined;
}

export interface SqliteStore extends SessionStore, AsyncDisposable {
  readonly path: string;
  /** Set if the file was damaged: how it was handled. */
  readonly setAside?: SetAside | undefined;
}

/** How durable confirmed changes of the SQLite store are. */
export const durability: Durability = Object.freeze({
  level: "disk",
  description: "Every change is on this computer's disk before it is confirmed (SQLite with WAL and synchronous=FULL).",
});

/** How many sessions one transaction removes, so that a long cleanup does not block other work. */
const removedAtOnce = 500;
/** How many sessions are counted before other work can run: some milliseconds. */
const countedAtOnce = 500;
/** After this many characters, a read yields to other work, since large pages would block it. */
const largeRead = 262_144;

/** Unlike the commits' own, its timers let the process end. */
const backgroundClock: Pick<Clock, "setTimer"> = {
  setTimer(delay, callback) {
    const timer = setTimeout(callback, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The store with a given opener and clock, which tests replace. */
export async function openStoreWith(
  opener: Opener,
  options: SqliteStoreOptions,
  clock?: CommitQueueOptions["clock"],
): Promise<SqliteStore> {
  const { path } = options;
  const log = options.log ?? silentLog;
  const setAside = orStoreError(path, () => prepareDatabase(opener, path, log));
  const file = new StoreFile(opener, path, clock);
  const feed = createChangeFeed();
  const indexer = new SearchIndexer({
    read: (work) => file.read(work),
    write: (work) => file.write(work),
    log,
    clock: clock ?? backgroundClock,
  });
  indexer.start();

  // Subscribers get a copy of what was written, which needs no checking.
  const published = (id: string, revision: number, body: unknown) => {
    feed.publish({ id, revision }, () => JSON.parse(String(body)) as SessionRecord);
    indexer.noted();
  };
  const readable = <Result>(rows: readonly Record<string, unknown>[], readOne: (body: unknown) => Result): Result[] =>
    rows.flatMap((row) => {
      try {
        return [readOne(row["body"])];
      } catch (error) {
        log("warn", "A stored record cannot be read and is left out.", {
          path,
          reason: error instanceof Error ? error.message : String(error),
        });
        return [];
      }
    });

  return {
    path,
    durability,
    setAside,

    async insert(record, { entry } = {}): Promise<InsertResult> {
      file.assertOpen();
      const { id, revision } = record;
      const row = sessionRow(record);
      return file.write<InsertResult>(
        (connection) => {
          const { prepare } = connection;
          if (prepare(statements.insert).run(...pick(row, sessionColumns)).changes === 1) {
            addEntry(connection, entry);
            return { inserted: true };
          }
          const present = prepare(statements.get).get(row.id) ?? prepare(statements.getByKey).get(row.owner, row.key);
          return { inserted: false, existing: recordOf(present?.["body"]) };
        },
        ({ inserted }) => inserted && published(id, revision, row.body),
      );
    },

    async get(id) {
      return file.read(({ prepare }) => {
        const row = prepare(statements.get).get(exact(id));
        return row === undefined ? undefined : recordOf(row["body"]);
      });
    },

    async replace(record, expectedRevision, options) {
      file.assertOpen();
      const { id, revision, state } = record;
      const row = sessionRow(record);
      const changing = pick(row, changingColumns);
      const constant = pick(row, constantColumns);
      return file.write(
        (connection) => {
          const { prepare } = connection;
          const changed =
            prepare(statements.change).run(...changing, row.id, expectedRevision, ...constant).changes === 1 ||
            prepare(statements.replace).run(...changing, ...constant, row.id, expectedRevision).changes === 1;
          if (changed && state !== "pending") prepare(statements.removeDraft).run(row.id);
          if (changed) addEntry(connection, options?.entry);
          return changed;
        },
        (changed) => changed && published(id, revision, row.body),
        options,
      );
    },

    async list(query: StoreQuery) {
      let bytes = 0;
      const limit = pageLimit(query.limit);
      const { skip } = query;
      const rows = await searchedRows((work) => file.read(work), query);
      const page = rows.slice(0, limit);
      const wanted =
        skip === undefined
          ? page
          : file.read(({ prepare }) => {
              const others = page.filter((row) => !skip(fromExact(row["id"])));
              return others.map((row) => prepare(statements.get).get(row["id"] as string)).filter((row) => row !== undefined);
            });
      const sessions = readable(wanted, (body) => {
        bytes += String(body).length;
        return recordOf(body);
      });
      if (bytes > largeRead) await setImmediate();
      const last = rows[limit - 1];
      if (rows.length <= limit || last === undefined) return { sessions };
      return { sessions, next: pageCursor({ createdAt: Number(last["created_at"]), id: fromExact(last["id"]) }) };
    },

    async count(query) {
      return file.read(({ prepare }) => {
        const { sql, values } = countQuery(query);
        return Number(prepare(sql).get(...values)?.["count"]);
      });
    },

    async tally(days) {
      const counted = tallier(days);
      // No id is empty, so this is before every session of that time.
      let [after, id] = [days[0] ?? Number.POSITIVE_INFINITY, ""];
      for (let count = countedAtOnce; count === countedAtOnce; await setImmediate()) {
        const rows = file.read(({ prepare }) => prepare(statements.facts).all(after, id, countedAtOnce));
        for (const { ending, created_at, closed_at, client, project } of rows) {
          if (ending === "pending") continue;
          const times = { createdAt: Number(created_at), closedAt: Number(closed_at) };
          counted.add({
            ...times,
            ending: ending as EndingKind | DenialKind,
            client: fromExact(client),
            project: project === null ? undefined : fromExact(project),
          });
        }
        const last = rows.at(-1);
        [after, id] = [Number(last?.["created_at"]), String(last?.["id"])];
        count = rows.length;
      }
      return counted.result();
    },

    async due(until, limit) {
      return file.read(({ prepare }) =>
        prepare(statements.due)
          .all(until, limit)
          .map((row) => ({ id: fromExact(row["id"]), deadlineAt: Number(row["deadline_at"]) })),
      );
    },

    async remove(filter) {
      const { delivered, undelivered, unseen } = removalTimes(filter);
      await file.write(({ prepare }) => void prepare(statements.removeEntries).run(undelivered, removedAtOnce));
      let removed = 0;
      for (let count = removedAtOnce; count === removedAtOnce; removed += count) {
        count = await file
          .write(
            ({ prepare }) => prepare(statements.remove).all(unseen, undelivered, delivered, unseen, removedAtOnce),
            (rows) => rows.forEach((row) => feed.publish({ id: fromExact(row["id"]), revision: 0 })),
          )
          .then((rows) => rows.length);
      }
      return removed;
    },

    audit: {
      last: async () => file.read(lastEntry),
      list: async (after, limit) => file.read(({ prepare }) => prepare(statements.listEntries).all(after, limit).map(entryOf)),
    },

    async getDraft(sessionId) {
      return file.read(({ prepare }) => {
        const row = prepare(statements.getDraft).get(exact(sessionId));
        return row === undefined ? undefined : draftOf(row["body"]);
      });
    },

    async putDraft(draft: Draft, expectedRevision) {
      file.assertOpen();
      const row = draftRow(draft);
      const values = pick(row, draftColumns);
      return file.write(({ prepare }) => {
        const done =
          expectedRevision === 0
            ? prepare(statements.insertDraft).run(...values, row.session_id)
            : prepare(statements.changeDraft).run(...values, row.session_id, expectedRevision, row.session_id);
        return done.changes === 1;
      });
    },

    async removeDraft(sessionId) {
      await file.write(({ prepare }) => void prepare(statements.removeDraft).run(exact(sessionId)));
    },

    async listDrafts() {
      return file.read(({ prepare }) => readable(prepare(statements.listDrafts).all(), draftOf));
    },

    subscribe: feed.subscribe,

    async close() {
      if (file.isClosed) return;
      indexer.stop();
      file.close();
      feed.close();
    },
    [Symbol.asyncDispose](this: SqliteStore) {
      return this.close();
    },
  };
}

/** The file with its one connection, which is opened again after an error that may have broken it. */
class StoreFile {
  readonly #opener: Opener;
  readonly #path: string;
  /** Of the file that was opened, which another of the same name can't replace. */
  readonly #identity: string | undefined;
  readonly #queue: CommitQueue;
  #connection: Connection | undefined;
  #closed = false;

  constructor(opener: Opener, path: string, clock: CommitQueueOptions["clock"]) {
    this.#opener = opener;
    this.#path = path;
    this.#connection = orStoreError(path, () => openConnection(opener, path));
    this.#identity = fileIdentity(path);
    const connection = () => {
      this.#assertInPlace();
      return this.#open();
    };
    this.#queue = new CommitQueue({ connection, failed: (thrown) => this.#failed(thrown), clock });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Throws `STORE_UNAVAILABLE` if it is closed. */
  assertOpen(): void {
    if (this.#closed) throw new AskboxError("STORE_UNAVAILABLE", `The store ${this.#path} is closed; open it again.`);
  }

  /** Reads now, what was committed until now. */
  read<Result>(work: (connection: Connection) => Result): Result {
    this.assertOpen();
    try {
      return work(this.#open());
    } catch (thrown) {
      if (thrown instanceof AskboxError) throw thrown;
      throw this.#failed(thrown);
    }
  }

  /** Writes in the next transaction; resolves when it is on disk, after `after` has run. */
  write<Result>(work: (connection: Connection) => Result, after?: (result: Result) => void, options?: ReplaceOptions): Promise<Result> {
    this.assertOpen();
    return this.#queue.submit(work, after, options);
  }

  /** Commits what is waiting first. */
  close(): void {
    this.#queue.flush();
    this.#closed = true;
    this.#disconnect();
  }

  #open(): Connection {
    if (this.#connection === undefined) {
      this.#assertInPlace();
      this.#connection = openConnection(this.#opener, this.#path);
    }
    return this.#connection;
  }

  #assertInPlace(): void {
    // An open file that was deleted still accepts writes, which would be lost when the process exits.
    if (fileIdentity(this.#path) === this.#identity) return;
    throw new AskboxError(
      "STORE_UNAVAILABLE",
      `The store ${this.#path} was moved or deleted while in use; put it back, or restart askbox to begin a new one.`,
    );
  }

  #failed(thrown: unknown): AskboxError {
    if (!leavesConnectionSound(thrown)) this.#disconnect();
    return storeError(thrown, this.#path);
  }

  #disconnect(): void {
    try {
      this.#connection?.close();
    } catch {
      // Closing a broken connection may fail too; there is nothing left to lose.
    }
    this.#connection = undefined;
  }
}

function lastEntry({ prepare }: Connection): AuditEntry | undefined {
  const row = prepare(statements.lastEntry).get();
  return row === undefined ? undefined : entryOf(row);
}

/** If this throws, the write that the entry belongs to is rolled back. */
function addEntry(connection: Connection, entry: AuditEntry | undefined): void {
  if (entry === undefined) return;
  mustFollow(entry, lastEntry(connection));
  connection.prepare(statements.addEntry).run(...pick(auditRow(entry), auditColumns));
}
