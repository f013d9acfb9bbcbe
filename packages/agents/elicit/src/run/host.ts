import { AskboxError, type Log, type Platform, silentLog, standardPlatform } from "@askbox/core";
import type { ElicitationOptions } from "../question/options.ts";
import type { ClientFacts } from "../sdk.ts";
import { memoryElicitationStore } from "../store/memory.ts";
import { redisElicitationStore } from "../store/redis.ts";
import { sealedElicitationStore } from "../store/sealed.ts";
import type { ElicitationStore } from "../store/store.ts";
import { type CallBook, createCallBook } from "./record.ts";

/** What the calls of one server share. */
export interface Host {
  /** The client's capabilities from the handshake. */
  client: ClientFacts;
  options: ElicitationOptions;
  platform: Platform;
  log: Log;
  book: CallBook;
  /** Identifies this connection if nothing else does. */
  connection: string;
}

/**
 * Shared by servers without a store of their own, one per clock: over HTTP a server is created for each request, and the next one must find
 * what the last one asked. Keys are random, so that unrelated servers in one process do not collide.
 */
const sharedStores = new WeakMap<Platform["clock"], ElicitationStore>();
let ownPlatform: Platform | undefined;

function sharedStore(clock: Platform["clock"]): ElicitationStore {
  const store = sharedStores.get(clock) ?? memoryElicitationStore(clock);
  sharedStores.set(clock, store);
  return store;
}

export function createHost(client: ClientFacts, options: ElicitationOptions): Host {
  ownPlatform ??= standardPlatform(globalThis);
  const { platform = ownPlatform, log = silentLog, secret, redis } = options;
  const { clock } = platform;
  if (options.store !== undefined && redis !== undefined) throw new AskboxError("VALIDATION", "Give store or redis, not both.");
  const store = options.store ?? (redis === undefined ? sharedStore(clock) : redisElicitationStore(redis));
  const sealed = secret === undefined ? store : sealedElicitationStore(store, secret, log);
  return {
    client,
    options,
    platform,
    log,
    book: createCallBook({ store: sealed, clock, log }),
    connection: platform.ids.session(),
  };
}
