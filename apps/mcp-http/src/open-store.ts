import { AskboxError, type Log, memoryStore, type SessionStore } from "@askbox/core";
import { makePrivate } from "@askbox/home";

/** Opens the store that `--store` names: `memory`, `sqlite` or `sqlite:PATH`. Throws `VALIDATION`, and what the store throws. */
export async function openStore(name: string, options: { database: string; log: Log }): Promise<SessionStore> {
  if (name === "memory") return memoryStore();
  const path = name === "sqlite" ? options.database : /^sqlite:(.+)$/.exec(name)?.[1];
  if (path === undefined) {
    throw new AskboxError("VALIDATION", `There is no store ${JSON.stringify(name)}; use memory, sqlite or sqlite:PATH.`);
  }
  const { openSqliteStore } = await import("@askbox/store-sqlite");
  const store = await openSqliteStore({ path, log: options.log });
  makePrivate(path);
  return store;
}
