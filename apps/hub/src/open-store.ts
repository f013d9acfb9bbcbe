import { AskboxError, type Log, memoryStore, type SessionStore, type SharedState } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { makePrivate, refuseForeignDatabase } from "@askbox/home";
import type { Kept } from "@askbox/mcp-http";

/** A store and its companions. */
export interface OpenedStore {
  store: SessionStore;
  /** Its name in status and logs, without secrets. */
  name: string;
  /** The state that this hub shares with others over the same store; undefined if it is the only one. */
  shared: SharedState | undefined;
  /** Opens values beside the store that outlive this hub like its sessions; undefined if those do not, or are shared. */
  openKept: (() => Promise<Kept>) | undefined;
  close(): Promise<void>;
}

export interface OpenStoreOptions {
  /** The file for `sqlite`. */
  database: string;
  /** The file for values that are stored beside it. */
  kept: string;
  /** The team that owns the inbox, if a Redis has several. */
  space: string | undefined;
  log: Log;
}

/** Whether the store in `--store` is Redis or Valkey, which several hubs may use at once. */
export const isSharedStore = (name: string): boolean => /^(rediss?|valkeys?)(\+|:)/.test(name);

/** Opens the store given by `--store`: `memory`, `sqlite`, `sqlite:PATH` or a Redis URL. Throws `VALIDATION`, and what the store throws. */
export async function openStore(name: string, options: OpenStoreOptions): Promise<OpenedStore> {
  if (isSharedStore(name)) return openRedis(name, options);
  if (options.space !== undefined) {
    throw new AskboxError(
      "VALIDATION",
      "A space is a part of a Redis that several teams share; without Redis, give each team its own home with ASKBOX_HOME.",
    );
  }
  if (name === "memory") return alone(name, memoryStore(), undefined);
  const path = name === "sqlite" ? options.database : /^sqlite:(.+)$/.exec(name)?.[1];
  if (path === undefined) {
    throw new AskboxError(
      "VALIDATION",
      `There is no store ${quote(withoutSecrets(name))}; use memory, sqlite, sqlite:PATH or redis://HOST:PORT.`,
    );
  }
  const { openSqliteStore, openSqliteValues } = await import("@askbox/store-sqlite");
  refuseForeignDatabase(path);
  const store = await openSqliteStore({ path, log: options.log });
  makePrivate(path);
  return alone(name, store, async () => {
    refuseForeignDatabase(options.kept);
    const values = await openSqliteValues({ path: options.kept });
    makePrivate(options.kept);
    return values;
  });
}

const alone = (name: string, store: SessionStore, openKept: OpenedStore["openKept"]): OpenedStore => ({
  store,
  name,
  openKept,
  shared: undefined,
  close: () => store.close(),
});

async function openRedis(name: string, { space, log }: OpenStoreOptions): Promise<OpenedStore> {
  const { openRedisShared, openRedisStore } = await import("@askbox/store-redis");
  const url = space === undefined ? name : inSpace(name, space);
  const store = await openRedisStore({ url, log });
  const close = () => store.close();
  try {
    const shared = await openRedisShared({ url });
    return {
      store,
      name: store.label,
      shared,
      openKept: undefined,
      async close() {
        await shared.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The URL of one space: all of its keys have its prefix. */
export function inSpace(url: string, space: string): string {
  if (/[?&]prefix=/.test(url)) {
    throw new AskboxError("VALIDATION", "Give either a space, or a prefix in the store's URL; a space is such a prefix.");
  }
  return `${url}${url.includes("?") ? "&" : "?"}prefix=askbox:${space}`;
}

/** An invalid name may be a URL that contains a password. */
const withoutSecrets = (name: string) => (name.includes("@") && name.includes("://") ? `${name.slice(0, name.indexOf("://"))}://…` : name);
