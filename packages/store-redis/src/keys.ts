/**
 * The keys of one space. They share a hash tag, so that in a cluster they are in one slot and a script can use them all. They are few and
 * fixed: every script receives all the keys that it uses.
 */
export interface Keys {
  /** Hash: id to head and record. */
  sessions: string;
  /** Sorted set without scores: the index of sessions. */
  index: string;
  /** Sorted set: pending ids by deadline. */
  deadlines: string;
  /** Sorted set: settled ids by time of settling. */
  closings: string;
  /** Hash: owner and key to the pending id. */
  names: string;
  /** Hash: id to draft. */
  drafts: string;
  /** Stream: the latest changes. */
  changes: string;
  /** Hash: the number of the last change. */
  meta: string;
  /** Stream: the record of approvals, by entry number. */
  audit: string;
}

export function keysOf(prefix: string): Keys {
  const key = (name: string) => `{${prefix}}:${name}`;
  return {
    sessions: key("sessions"),
    index: key("index"),
    deadlines: key("deadlines"),
    closings: key("closings"),
    names: key("names"),
    drafts: key("drafts"),
    changes: key("changes"),
    meta: key("meta"),
    audit: key("audit"),
  };
}

/** In the order in which every script expects them. */
export const keyList = (keys: Keys): string[] => [
  keys.sessions,
  keys.index,
  keys.deadlines,
  keys.closings,
  keys.names,
  keys.drafts,
  keys.changes,
  keys.meta,
  keys.audit,
];
