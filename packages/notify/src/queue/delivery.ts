import type { WebhookKindName } from "../channels/kinds.ts";
import type { WebhookEvent } from "../event.ts";

/** An event to deliver to one target. */
export interface Delivery {
  /** The target's URL. */
  to: string;
  event: WebhookEvent;
  /** Failed attempts. */
  attempts: number;
  /** When the next attempt is due; wall time, so that it survives a restart. */
  dueAt: number;
}

/** A target's statistics since the hub started. */
export interface TargetStatus {
  /** Without secrets: no user, no query, and only the first letters of an ntfy topic. */
  url: string;
  kind: WebhookKindName;
  delivered: number;
  /** In progress or waiting, including retries. */
  waiting: number;
  /** Given up. */
  failed: number;
  /** Why the last attempt failed; undefined after a success. */
  trouble?: string;
}
