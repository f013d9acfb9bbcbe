import type { Broker, SharedState } from "@askbox/core";

/** Carries a value through async calls, like Node's `AsyncLocalStorage`. */
export interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  getStore(): Value | undefined;
}

/** Lets several processes serve the same MCP sessions of older revisions: concurrently over one store, or one after another. */
export interface McpCluster {
  /** If there is only one process at a time, `publish` and `subscribe` may do nothing. */
  shared: Pick<SharedState, "get" | "swap" | "publish" | "subscribe">;
  /** This process's id. */
  broker: Pick<Broker, "id" | "isAlive" | "released">;
  /** `() => new AsyncLocalStorage()` in Node. */
  asyncContext<Value>(): AsyncContext<Value>;
}
