import { type Log, type Platform, silentLog, standardPlatform } from "@askbox/core";
import type { McpServer, ServerContext } from "@modelcontextprotocol/server";
import { type Heartbeat, noHeartbeat, startHeartbeat } from "../heartbeat.ts";
import type { ElicitationOptions } from "./options.ts";
import { type CallBook, createCallBook } from "./record.ts";
import { memoryElicitationStore } from "./store/memory.ts";
import { sealedElicitationStore } from "./store/sealed.ts";
import type { ElicitationStore } from "./store/store.ts";

/** What the calls of one server share. */
export interface Host {
  server: McpServer;
  options: ElicitationOptions;
  platform: Platform;
  log: Log;
  book: CallBook;
  /** Names this connection where nothing else does. */
  connection: string;
  heartbeat(ctx: ServerContext): Heartbeat;
}

/**
 * What servers without a store of their own share, one for each clock: over HTTP a server is made for each request, and the next one has to find what
 * the last one asked. Keys are random, so that strangers in one process do not meet.
 */
const sharedStores = new WeakMap<Platform["clock"], ElicitationStore>();
let ownPlatform: Platform | undefined;

export function createHost(server: McpServer, options: ElicitationOptions): Host {
  ownPlatform ??= standardPlatform(globalThis);
  const { platform = ownPlatform, log = silentLog, secret } = options;
  const { clock } = platform;
  const store = options.store ?? sharedStores.get(clock) ?? memoryElicitationStore(clock);
  if (options.store === undefined) sharedStores.set(clock, store);
  const sealed = secret === undefined ? store : sealedElicitationStore(store, secret, log);
  return {
    server,
    options,
    platform,
    log,
    book: createCallBook({ store: sealed, clock, log }),
    connection: platform.ids.session(),
    heartbeat(ctx) {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      if (progressToken === undefined) return noHeartbeat;
      return startHeartbeat(clock, "Waiting for a person's answer.", (progress, message) => {
        // A stream that has ended takes no more of them, and the call is aborted by then.
        ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => {});
      });
    },
  };
}
