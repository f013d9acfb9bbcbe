/** One entry of the record of approvals. Its hash covers its line, including the previous entry's hash. */
export interface AuditEntry {
  /** 1 for the first, then consecutive. */
  number: number;
  /** Wall time in ms since the epoch. */
  at: number;
  /** The previous entry's hash; 64 zeros for the first. */
  previous: string;
  /** SHA-256 as lower-case hex. */
  hash: string;
  /** The entry as one line of JSON, without a line break. */
  line: string;
}

/** The record of approvals, as stored. Entries are added with `insert` and `replace`, in the same transaction, and removed by `remove`. */
export interface AuditLog {
  /** The newest entry. It is never removed, so that the chain can continue from it. */
  last(): Promise<AuditEntry | undefined>;
  /** Entries with a higher number than `after`, oldest first, at most `limit`. */
  list(after: number, limit: number): Promise<AuditEntry[]>;
}
