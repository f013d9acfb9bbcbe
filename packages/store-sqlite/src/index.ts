import { sqliteOpener } from "./connection.ts";
import { openStoreWith, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

/**
 * Opens a session store on one SQLite file, checking it first. A damaged file is renamed to `PATH.damaged-TIME`, never deleted, and
 * what can be read of it is in the new store. The store syncs to disk on the calling thread, with one sync for all writes that
 * wait. Subscribers are told what this store object writes, not what another process writes to the same file.
 *
 * Throws `STORE_UNAVAILABLE` when the place cannot be written, is another program's or was written by a newer askbox; `STORE_DAMAGED` when it is
 * damaged while another process uses it. Nothing is changed then.
 *
 * @example
 * ```ts
 * import { createBroker, standardPlatform } from "@askbox/core";
 * import { openSqliteStore } from "@askbox/store-sqlite";
 *
 * const store = await openSqliteStore({ path: "questions.db" });
 * const broker = await createBroker({ store, ...standardPlatform(globalThis) });
 * ```
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  return openStoreWith(await sqliteOpener(), options);
}

export { checkIntegrity } from "./integrity.ts";
export type { SetAside } from "./open-database.ts";
export type { Salvaged } from "./salvage.ts";
export { durability, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
export { openSqliteValues, type SqliteValues, type SqliteValuesOptions } from "./values.ts";
