/** IndexedDB with promises. */
import { AskboxError } from "@askbox/core";

const unavailable = (cause: unknown) =>
  new AskboxError("STORE_UNAVAILABLE", "This browser's storage cannot be used; make room in it, or leave private browsing.", { cause });

/** Opens a database, and lays it out when it is new. Throws `STORE_UNAVAILABLE`. */
export async function openDatabase(name: string, layOut: (fresh: IDBDatabase) => void): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => layOut(request.result);
  return result(request);
}

/** What a request comes to. Throws `STORE_UNAVAILABLE`. */
export function result<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(unavailable(request.error));
  });
}

/**
 * Does `work` in one transaction over both stores and resolves once it is on disk; where `work` throws, nothing of it is done. A transaction ends by
 * itself when nothing of it is under way, so `work` may wait for nothing but its own requests.
 */
export async function inTransaction<Result>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (sessions: IDBObjectStore, drafts: IDBObjectStore) => Promise<Result>,
): Promise<Result> {
  const transaction = database.transaction(["sessions", "drafts"], mode, { durability: "strict" });
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(unavailable(transaction.error));
  });
  const worked = work(transaction.objectStore("sessions"), transaction.objectStore("drafts")).catch((error) => {
    transaction.abort();
    throw error;
  });
  const [value] = await Promise.all([worked, done]);
  return value;
}

/** Goes on along a cursor for as long as `visit` says so, and tells whether it stopped before the end. */
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
