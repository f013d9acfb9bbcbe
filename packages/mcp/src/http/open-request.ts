import type { CancelTimer } from "@askbox/core";

/** A request without a response yet. */
export interface OpenRequest {
  /** Set once an event of its stream was sent; before that the client cannot resume. */
  stream: string | undefined;
  giveUp: CancelTimer;
}
