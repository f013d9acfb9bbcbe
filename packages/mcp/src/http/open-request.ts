import type { CancelTimer } from "@askbox/core";

/** A request that is not answered yet. */
export interface OpenRequest {
  /** Known once an event of its stream was sent; without one the client has nothing to resume from. */
  stream: string | undefined;
  giveUp: CancelTimer;
}
