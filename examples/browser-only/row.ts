import type { SessionRecord } from "@askbox/core";

/** A session as it is kept: what it is found by stands beside it. */
export interface Row {
  id: string;
  createdAt: number;
  /** Only while it is pending, so that the index holds no key for longer. */
  pendingKey?: [owner: string, key: string];
  dueAt?: number;
  closedAt?: number;
  undelivered: boolean;
  search: string;
  record: SessionRecord;
}
