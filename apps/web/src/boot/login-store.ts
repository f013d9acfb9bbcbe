import { basePath } from "../base-path.ts";
import type { LoginKey } from "./login-key.ts";

/** This browser's login, as it is kept. The secret that the key was made from is not. */
export interface StoredLogin {
  id: string;
  /** The identity of the hub that it is good for. */
  hub: string;
  key: LoginKey;
  /** The login before, which is ended once this one is seen to work. */
  former: string | undefined;
}

/** Of each hub of this origin. */
const database = `askbox${basePath}`;
const table = "login";
const only = "this browser";

/** This browser's login, if it has one. */
export async function loadLogin(): Promise<StoredLogin | undefined> {
  try {
    return (await inTable("readonly", (store) => store.get(only))) as StoredLogin | undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it in place of another. Throws the browser's error when it cannot be kept. */
export async function saveLogin(login: StoredLogin): Promise<void> {
  await inTable("readwrite", (store) => store.put(login, only));
}

/** Forgets the login with this id; another that has taken its place stays. */
export async function forgetLogin(id: string): Promise<void> {
  if ((await loadLogin())?.id === id) await inTable("readwrite", (store) => store.delete(only));
}

/** A database rather than `localStorage`: it takes keys that no script can read. */
async function inTable(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(table);
  const opened = (await settled(opening)) as IDBDatabase;
  try {
    return await settled(use(opened.transaction(table, mode).objectStore(table)));
  } finally {
    opened.close();
  }
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("The browser keeps nothing for this page."));
  });
}
