import { AskboxError, memoryStore, type SharedState } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { testPlatform } from "@askbox/core/testing";
import { createToken } from "@askbox/hub";
import type { CallEnd } from "@askbox/mcp";
import { type McpHub, startMcpHub } from "./hub.ts";

export interface McpCluster {
  a: McpHub;
  b: McpHub;
  /** Ends hub A like a kill: its further actions are invisible to others. The test closes its clients' connections. */
  killA(): void;
  /** How calls ended, as the hubs count them: the hub, the tool and the status. */
  ends: readonly string[];
  /** Keys of the hubs' shared state, with their values. */
  shared: ReadonlyMap<string, string>;
}

/** Two hubs with the same store, shared state and clock. */
export async function startMcpCluster(): Promise<McpCluster> {
  const platform = testPlatform();
  const memory = sharedMemory(platform.clock);
  const written = new Map<string, string>();
  const common = { platform, store: memoryStore(), tokens: { asker: createToken(), otherAsker: createToken(), desk: createToken() } };
  let isDead = false;
  const reach = (state: SharedState, isReached: () => boolean): SharedState => {
    const reached = () => {
      if (!isReached()) throw new AskboxError("STORE_UNAVAILABLE", "Away.");
      return state;
    };
    return {
      get: async (...args) => reached().get(...args),
      async swap(key, expected, next, ttl) {
        const isDone = await reached().swap(key, expected, next, ttl);
        if (isDone && next === undefined) written.delete(key);
        else if (isDone && next !== undefined) written.set(key, next);
        return isDone;
      },
      take: async (...args) => reached().take(...args),
      publish: async (...args) => reached().publish(...args),
      subscribe: (topic, listener) => state.subscribe(topic, (message) => isReached() && listener(message)),
      close: () => state.close(),
    };
  };
  const ends: string[] = [];
  const counted = (hub: string) => ({ onCallEnd: ({ tool, status }: CallEnd) => void ends.push(`${hub} ${tool} ${status}`) });
  const a = await startMcpHub({}, { ...common, mcp: counted("a"), shared: reach(memory.open(), () => !isDead) });
  const b = await startMcpHub({}, { ...common, mcp: counted("b"), shared: reach(memory.open(), () => true) });
  return {
    a,
    b,
    ends,
    shared: written,
    killA: () => {
      isDead = true;
    },
  };
}
