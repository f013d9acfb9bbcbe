import type { SessionRecord } from "@askbox/core";

/** A stored session, along with the fields that are indexed. */
export interface Row {
  id: string;
  createdAt: number;
  /** Only while it is pending, since the key is free afterwards. */
  pendingKey?: [owner: string, key: string];
  dueAt?: number;
  closedAt?: number;
  undelivered: boolean;
  search: string;
  record: SessionRecord;
}
