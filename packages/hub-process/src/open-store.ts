import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { AskboxError, type Clock, type Log, memoryStore, type SessionStore, type SharedState } from "@askbox/core";
import { quote } from "@askbox/core/schemas";
import { type Blobs, sharedMemory } from "@askbox/core/stores";
import { folderBlobs, memoryBlobs } from "@askbox/files";
import { makePrivate, refuseForeignDatabase } from "@askbox/home";
import type { Kept } from "@askbox/mcp-http";
import type { RedisMeter } from "@askbox/store-redis";
import type { RedisPart } from "./metrics/hub-metrics.ts";

/** A store and its companions. */
export interface OpenedStore {
  store: SessionStore;
  /** The files of its sessions. */
  blobs: Blobs;
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
  /** The folder for files, beside that database. */
  attachments: string;
  /** The file for values that are stored beside it. */
  kept: string;
  /** The team that owns the inbox, if a Redis has several. */
  space: string | undefined;
  log: Log;
  /** What a part's connections to Redis report. */
  meter?: ((part: RedisPart) => RedisMeter) | undefined;
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
  if (name === "memory") {
    const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
    return alone(name, memoryStore(), memoryBlobs({ now: Date.now, sha256 }), undefined);
  }
  const path = name === "sqlite" ? options.database : /^sqlite:(.+)$/.exec(name)?.[1];
  if (path === undefined) {
    throw new AskboxError(
      "VALIDATION",
      `There is no store ${quote(withoutSecrets(name))}; use memory, sqlite, sqlite:PATH or redis://HOST:PORT.`,
    );
  }
  const { openSqliteStore } = await import("@askbox/store-sqlite");
  const store = await openPrivate(path, () => openSqliteStore({ path, log: options.log }));
  const folder = attachmentsOf(path, options);
  // What a damaged store had, and the new one has not, would be removed.
  if (store.setAside !== undefined) linkAll(folder, `${store.setAside.path}.files`);
  return alone(name, store, folderBlobs({ folder }), () => openFileValues(options.kept));
}

async function openFileValues(path: string): Promise<Kept> {
  const { openSqliteValues } = await import("@askbox/store-sqlite");
  return openPrivate(path, () => openSqliteValues({ path }));
}

/** Of a database and, while it is open, the files beside it, which have what was written last. */
const ends = process.platform === "win32" ? [""] : ["", "-wal", "-shm"];

async function openPrivate<Opened>(path: string, open: () => Promise<Opened>): Promise<Opened> {
  refuseForeignDatabase(path);
  const opened = await open();
  for (const end of ends) makePrivate(`${path}${end}`);
  return opened;
}

/** Values beside the sessions, such as what ran without a person: in memory, in a file beside the others, or shared by several hubs. */
export async function openValues(
  name: string,
  { path, shared, clock }: { path: string; shared: SharedState | undefined; clock: Clock },
): Promise<Pick<SharedState, "get" | "swap" | "close">> {
  if (shared !== undefined) return { get: shared.get, swap: shared.swap, close: async () => {} };
  if (name === "memory") return sharedMemory(clock).open();
  return openFileValues(path);
}

/** The folder with the files of a database's sessions. Each database has its own, since a hub removes what its sessions don't have. */
export const attachmentsOf = (path: string, home: { database: string; attachments: string }): string =>
  path === home.database ? home.attachments : `${path}.files`;

/** Links every session's files into another folder, which takes no room. */
function linkAll(folder: string, copy: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const target = join(copy, entry.parentPath.slice(folder.length));
    mkdirSync(target, { recursive: true, mode: 0o700 });
    linkSync(join(entry.parentPath, entry.name), join(target, entry.name));
  }
}

const alone = (name: string, store: SessionStore, blobs: Blobs, openKept: OpenedStore["openKept"]): OpenedStore => ({
  store,
  blobs,
  name,
  openKept,
  shared: undefined,
  async close() {
    await store.close();
    await blobs.close();
  },
});

async function openRedis(name: string, { space, log, meter }: OpenStoreOptions): Promise<OpenedStore> {
  const { openRedisShared, openRedisStore } = await import("@askbox/store-redis");
  const { openRedisBlobs } = await import("@askbox/store-redis/blobs");
  const url = space === undefined ? name : inSpace(name, space);
  const store = await openRedisStore({ url, log, meter: meter?.("sessions") });
  let blobs: Blobs | undefined;
  const close = async () => {
    await store.close();
    await blobs?.close();
  };
  try {
    // The store's log says what is wrong with the server that all three use.
    blobs = await openRedisBlobs({ url, meter: meter?.("files") });
    const shared = await openRedisShared({ url, meter: meter?.("shared") });
    return {
      store,
      blobs,
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
