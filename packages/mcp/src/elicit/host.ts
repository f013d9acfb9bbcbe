import { AskboxError, type Log, type Platform, silentLog, standardPlatform } from "@askbox/core";
import { type Heartbeat, noHeartbeat, startHeartbeat } from "../heartbeat.ts";
import type { ElicitationOptions } from "./options.ts";
import { type CallBook, createCallBook } from "./record.ts";
import type { CallContext } from "./sdk/call-context.ts";
import type { ClientFacts } from "./sdk/servers.ts";
import { memoryElicitationStore } from "./store/memory.ts";
import { redisElicitationStore } from "./store/redis.ts";
import { sealedElicitationStore } from "./store/sealed.ts";
import type { ElicitationStore } from "./store/store.ts";

/** What the calls of one server share. */
export interface Host {
  /** What the handshake has said of the client. */
  client: ClientFacts;
  options: ElicitationOptions;
  platform: Platform;
  log: Log;
  book: CallBook;
  /** Names this connection where nothing else does. */
  connection: string;
  heartbeat(call: CallContext): Heartbeat;
}

/**
 * What servers without a store of their own share, one for each clock: over HTTP a server is made for each request, and the next one has to find what
 * the last one asked. Keys are random, so that strangers in one process do not meet.
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
    heartbeat(call) {
      if (call.progressToken === undefined) return noHeartbeat;
      return startHeartbeat(clock, "Waiting for a person's answer.", (progress, message) => {
        // A stream that has ended takes no more of them, and the call is aborted by then.
        call.progress(progress, message).catch(() => {});
      });
    },
  };
}
