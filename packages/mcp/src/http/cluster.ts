import type { Broker, SharedState } from "@askbox/core";

/** Follows a value through everything that is awaited on its way, as Node's `AsyncLocalStorage` does. */
export interface AsyncContext<Value> {
  run<Result>(value: Value, work: () => Result): Result;
  getStore(): Value | undefined;
}

/** What lets several processes over one store serve the same MCP sessions of older revisions. */
export interface McpCluster {
  shared: SharedState;
  /** This process among the others. */
  broker: Pick<Broker, "id" | "isAlive" | "released">;
  /** `() => new AsyncLocalStorage()` in Node. */
  asyncContext<Value>(): AsyncContext<Value>;
}
