/** This browser's login: where it is kept, and the key that proves it, which scripts can use but not read. */
import { basePath } from "../base-path.ts";

/**
 * The key of a login. Over TLS and on this machine it is a CryptoKey that scripts can use but not read; elsewhere browsers have no
 * Web Crypto, so it is the key itself as lower-case hex.
 */
type LoginKey = CryptoKey | string;

/** This browser's stored login, without the secret from which the key was derived. */
export interface StoredLogin {
  id: string;
  /** The identity of the hub it is valid for. */
  hub: string;
  key: LoginKey;
  /** The previous login, which is ended once this one works. */
  former: string | undefined;
}

/** Separate for each hub of this origin. */
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

/** Replaces the stored login. Throws the browser's error if it can't be stored. */
export async function saveLogin(login: StoredLogin): Promise<void> {
  await inTable("readwrite", (store) => store.put(login, only));
}

/** Deletes the login with this id, but not one that has replaced it. */
export async function forgetLogin(id: string): Promise<void> {
  if ((await loadLogin())?.id === id) await inTable("readwrite", (store) => store.delete(only));
}

/** IndexedDB rather than `localStorage`, since it can store keys that scripts can't read. */
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

const algorithm = { name: "HMAC", hash: "SHA-256" };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The SHA-256 of the text as a key. */
export async function importKey(text: string): Promise<LoginKey> {
  if (!isSecureContext) return (await import("./plain-hmac.ts")).sha256Hex(bytesOf(text));
  return crypto.subtle.importKey("raw", await crypto.subtle.digest("SHA-256", bytesOf(text)), algorithm, false, ["sign"]);
}

/** HMAC-SHA-256 as lower-case hex. */
export async function mac(key: LoginKey, text: string): Promise<string> {
  if (typeof key === "string") return (await import("./plain-hmac.ts")).hmacHex(key, bytesOf(text));
  return hexOf(new Uint8Array(await crypto.subtle.sign(algorithm.name, key, bytesOf(text))));
}

export const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
