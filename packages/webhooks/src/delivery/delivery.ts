import type { WebhookEvent } from "../event.ts";
import type { WebhookKindName } from "../kinds/index.ts";

/** An event on its way to one target. */
export interface Delivery {
  /** The target's URL. */
  to: string;
  event: WebhookEvent;
  /** Attempts that failed. */
  attempts: number;
  /** When the next is due; wall time, so that it still holds after a restart. */
  dueAt: number;
}

/** How a target has done since the hub began. */
export interface TargetStatus {
  /** Without what may be secret in it: user, query and all of an ntfy topic but its first letters. */
  url: string;
  kind: WebhookKindName;
  delivered: number;
  /** On their way, retries among them. */
  waiting: number;
  /** Given up. */
  failed: number;
  /** Why the last attempt failed; nothing once one has worked. */
  trouble?: string;
}
