import { sqliteOpener } from "./connection.ts";
import { openStoreWith, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";

/**
 * Opens a session store on one SQLite file, checking it first. A damaged file is renamed to `PATH.damaged-TIME`, never deleted, and
 * everything readable is copied to the new store. The store syncs to disk on the calling thread, with one sync for all waiting writes.
 * Subscribers only receive changes made through this store object, not those of other processes.
 *
 * Throws `STORE_UNAVAILABLE` if the file cannot be written, belongs to another program or was written by a newer askbox; `STORE_DAMAGED` if
 * it is damaged while another process uses it. Nothing is changed in those cases.
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
export { copySqliteStore } from "./migrations.ts";
export type { Salvaged, SetAside } from "./open-database.ts";
export { durability, type SqliteStore, type SqliteStoreOptions } from "./sqlite-store.ts";
export { openSqliteValues, type SqliteValues, type SqliteValuesOptions } from "./values.ts";
