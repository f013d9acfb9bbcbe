import { AskboxError } from "@askbox/core";
import type { ElicitationStore } from "./store.ts";

/** The address of Redis or Valkey: one `url`, or its parts. */
export interface RedisOptions {
  /** `redis://user:password@host:6379/0?prefix=shop`; `rediss://` for TLS. Replaces all other options. */
  url?: string | undefined;
  /** Default `localhost`. */
  host?: string | undefined;
  /** Default 6379. */
  port?: number | undefined;
  username?: string | undefined;
  password?: string | undefined;
  /** The number of the database. Default 0. */
  db?: number | undefined;
  tls?: boolean | undefined;
  /** The prefix of the keys. */
  keyPrefix?: string | undefined;
}

/** One connection per address and process: over HTTP a server is created for each request. */
const opened = new Map<string, Promise<ElicitationStore>>();

/**
 * A store on Redis that connects when first used, and stays connected for the lifetime of the process. Its calls throw `STORE_UNAVAILABLE`
 * while the server is unreachable, and `VALIDATION` for an invalid address; the next call tries again.
 */
export function redisElicitationStore(options: RedisOptions): ElicitationStore {
  const url = urlOf(options);
  const open = () => {
    const opening = opened.get(url) ?? openStore(url);
    opened.set(url, opening);
    opening.catch(() => opened.delete(url));
    return opening;
  };
  return {
    get: async (key) => (await open()).get(key),
    replace: async (key, expected, next, ttl) => (await open()).replace(key, expected, next, ttl),
  };
}

async function openStore(url: string): Promise<ElicitationStore> {
  const { openRedisElicitation } = await load();
  return openRedisElicitation({ url, background: true });
}

// Not a literal, so that bundlers ignore it: it only works on Node, and most bundles do not need it.
const storePackage: string = "@askbox/store-redis";

async function load(): Promise<typeof import("@askbox/store-redis")> {
  try {
    return await import(/* @vite-ignore */ storePackage);
  } catch (cause) {
    throw new AskboxError(
      "STORE_UNAVAILABLE",
      "The option redis needs the package @askbox/store-redis; install it beside @askbox/elicit.",
      {
        cause,
      },
    );
  }
}

function urlOf({ url, host = "localhost", port = 6379, username = "", password = "", db, tls = false, keyPrefix }: RedisOptions): string {
  if (url !== undefined) return url;
  const login = username === "" && password === "" ? "" : `${encodeURIComponent(username)}:${encodeURIComponent(password)}@`;
  const address = host.includes(":") ? `[${host}]` : host;
  const space = keyPrefix === undefined ? "" : `?prefix=${encodeURIComponent(keyPrefix)}`;
  return `${tls ? "rediss" : "redis"}://${login}${address}:${port}${db === undefined ? "" : `/${db}`}${space}`;
}
