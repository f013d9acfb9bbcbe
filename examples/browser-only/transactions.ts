/** IndexedDB with promises. */
import { AskboxError } from "@askbox/core";

const names = ["sessions", "drafts", "audit"];

const unavailable = (cause: unknown) =>
  new AskboxError("STORE_UNAVAILABLE", "This browser's storage cannot be used; make room in it, or leave private browsing.", { cause });

/** Opens a database and creates what an older version lacks; a new one has version 0. Throws `STORE_UNAVAILABLE`. */
export async function openDatabase(name: string, layOut: (database: IDBDatabase, version: number) => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 2);
  request.onupgradeneeded = ({ oldVersion }) => layOut(request.result, oldVersion);
  return result(request);
}

/** The result of a request. Throws `STORE_UNAVAILABLE`. */
export function result<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(unavailable(request.error));
  });
}

/**
 * Runs `work` in one transaction over all stores and resolves once it is on disk; if `work` throws, the transaction is rolled back. A transaction
 * commits automatically once it is idle, so `work` may only await its own requests.
 */
export async function inTransaction<Result>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (sessions: IDBObjectStore, drafts: IDBObjectStore, audit: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const transaction = database.transaction(names, mode, { durability: "strict" });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(unavailable(transaction.error));
  });
  const [sessions, drafts, audit] = names.map((name) => transaction.objectStore(name)) as [IDBObjectStore, IDBObjectStore, IDBObjectStore];
  const worked = work(sessions, drafts, audit).catch((error) => {
    transaction.abort();
    throw error;
  });
  const [value] = await Promise.all([worked, done]);
  return value;
}

/** Moves a cursor forward as long as `visit` returns true, and returns whether it stopped before the end. */
export function walk<Value>(
  request: IDBRequest<IDBCursorWithValue | null>,
  visit: (cursor: Omit<IDBCursorWithValue, "value"> & { value: Value }) => boolean,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(unavailable(request.error));
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor === null) return resolve(false);
      if (visit(cursor)) cursor.continue();
      else resolve(true);
    };
  });
}
