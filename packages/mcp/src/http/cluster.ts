import type { Broker, SharedState } from "@askbox/core";

/** Follows a value through everything that is awaited on its way, as Node's `AsyncLocalStorage` does. */
export interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  getStore(): Value | undefined;
}

/** What lets several processes serve the same MCP sessions of older revisions: beside each other over one store, or one after another. */
export interface McpCluster {
  /** Without any other process at the same time, `publish` and `subscribe` may do nothing. */
  shared: Pick<SharedState, "get" | "swap" | "publish" | "subscribe">;
  /** This process among the others. */
  broker: Pick<Broker, "id" | "isAlive" | "released">;
  /** `() => new AsyncLocalStorage()` in Node. */
  asyncContext<Value>(): AsyncContext<Value>;
}
