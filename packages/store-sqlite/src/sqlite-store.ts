import { setImmediate } from "node:timers/promises";
import { AskboxError, type Clock, type Draft, type Log, type SessionRecord, type SessionStore, silentLog } from "@askbox/core";
import { type AuditEntry, mustFollow } from "@askbox/core/audit";
import type { EndingKind } from "@askbox/core/stores";
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
  let connection: Connection | undefined = orStoreError(path, () => openConnection(opener, path));
  const identity = fileIdentity(path);
  const feed = createChangeFeed();
  let closed = false;

  const assertInPlace = () => {
    // An open file that was deleted still accepts writes, which would be lost when the process exits.
    if (fileIdentity(path) === identity) return;
    throw new AskboxError(
      "STORE_UNAVAILABLE",
      `The store ${path} was moved or deleted while in use; put it back, or restart askbox to begin a new one.`,
    );
  };
  const reader = (): Connection => {
    if (connection === undefined) {
      assertInPlace();
      connection = openConnection(opener, path);
    }
    return connection;
  };
  const writer = (): Connection => {
    assertInPlace();
    return reader();
  };
  const failed = (thrown: unknown): AskboxError => {
    if (!leavesConnectionSound(thrown)) {
      attempt(() => connection?.close());
      connection = undefined;
    }
    return storeError(thrown, path);
  };
  const queue = new CommitQueue({ connection: writer, failed, clock });

  const assertOpen = () => {
    if (closed) throw new AskboxError("STORE_UNAVAILABLE", `The store ${path} is closed; open it again.`);
  };
  const read = <Result>(work: (connection: Connection) => Result): Result => {
    assertOpen();
    try {
      return work(reader());
    } catch (thrown) {
      if (thrown instanceof AskboxError) throw thrown;
      throw failed(thrown);
    }
  };
  const write = <Result>(
    work: (connection: Connection) => Result,
    after?: (result: Result) => void,
    options?: ReplaceOptions,
  ): Promise<Result> => {
    assertOpen();
    return queue.submit(work, after, options);
  };
  // A copy of what was written, which needs no checking.
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

  const indexer = new SearchIndexer({ read, write, log, clock: clock ?? backgroundClock });
  indexer.start();

  return {
    path,
    durability,
    setAside,

    async insert(record, { entry } = {}): Promise<InsertResult> {
      assertOpen();
      const { id, revision } = record;
      const row = sessionRow(record);
      return write<InsertResult>(
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
      return read(({ prepare }) => {
        const row = prepare(statements.get).get(exact(id));
        return row === undefined ? undefined : recordOf(row["body"]);
      });
    },

    async replace(record, expectedRevision, options) {
      assertOpen();
      const { id, revision, state } = record;
      const row = sessionRow(record);
      const changing = pick(row, changingColumns);
      const constant = pick(row, constantColumns);
      return write(
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
      const rows = await searchedRows(read, query);
      const page = rows.slice(0, limit);
      const wanted =
        skip === undefined
          ? page
          : read(({ prepare }) => {
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
      return read(({ prepare }) => {
        const { sql, values } = countQuery(query);
        return Number(prepare(sql).get(...values)?.["count"]);
      });
    },

    async tally(days) {
      const counted = tallier(days);
      // No id is empty, so this is before every session of that time.
      let [after, id] = [days[0] ?? Number.POSITIVE_INFINITY, ""];
      for (let count = countedAtOnce; count === countedAtOnce; await setImmediate()) {
        const rows = read(({ prepare }) => prepare(statements.facts).all(after, id, countedAtOnce));
        for (const { ending, created_at, closed_at, client, project } of rows) {
          if (ending === "pending") continue;
          const times = { createdAt: Number(created_at), closedAt: Number(closed_at) };
          counted.add({
            ...times,
            ending: ending as EndingKind,
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
      return read(({ prepare }) =>
        prepare(statements.due)
          .all(until, limit)
          .map((row) => ({ id: fromExact(row["id"]), deadlineAt: Number(row["deadline_at"]) })),
      );
    },

    async remove(filter) {
      const { delivered, undelivered, unseen } = removalTimes(filter);
      await write(({ prepare }) => void prepare(statements.removeEntries).run(undelivered, removedAtOnce));
      let removed = 0;
      for (let count = removedAtOnce; count === removedAtOnce; removed += count) {
        count = await write(
          ({ prepare }) => prepare(statements.remove).all(unseen, undelivered, delivered, unseen, removedAtOnce),
          (rows) => rows.forEach((row) => feed.publish({ id: fromExact(row["id"]), revision: 0 })),
        ).then((rows) => rows.length);
      }
      return removed;
    },

    audit: {
      last: async () => read(lastEntry),
      list: async (after, limit) => read(({ prepare }) => prepare(statements.listEntries).all(after, limit).map(entryOf)),
    },

    async getDraft(sessionId) {
      return read(({ prepare }) => {
        const row = prepare(statements.getDraft).get(exact(sessionId));
        return row === undefined ? undefined : draftOf(row["body"]);
      });
    },

    async putDraft(draft: Draft, expectedRevision) {
      assertOpen();
      const row = draftRow(draft);
      const values = pick(row, draftColumns);
      return write(({ prepare }) => {
        const done =
          expectedRevision === 0
            ? prepare(statements.insertDraft).run(...values, row.session_id)
            : prepare(statements.changeDraft).run(...values, row.session_id, expectedRevision, row.session_id);
        return done.changes === 1;
      });
    },

    async removeDraft(sessionId) {
      await write(({ prepare }) => void prepare(statements.removeDraft).run(exact(sessionId)));
    },

    async listDrafts() {
      return read(({ prepare }) => readable(prepare(statements.listDrafts).all(), draftOf));
    },

    subscribe: feed.subscribe,

    async close() {
      if (closed) return;
      indexer.stop();
      queue.flush();
      closed = true;
      feed.close();
      attempt(() => connection?.close());
      connection = undefined;
    },
    [Symbol.asyncDispose](this: SqliteStore) {
      return this.close();
    },
  };
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

/** Closing a broken connection may fail too; there is nothing left to lose. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Ignored, see above.
  }
}
