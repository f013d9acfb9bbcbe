/**
 * The keys of one space. All share a hash tag, so that in a cluster they lie in one slot and one script may touch them all. They are few and known
 * beforehand: every script is told all keys that it uses.
 */
export interface Keys {
  /** Hash: id to head and record. */
  sessions: string;
  /** Sorted set without scores: what sessions are looked up by. */
  index: string;
  /** Sorted set: pending ids by deadline. */
  deadlines: string;
  /** Sorted set: settled ids by when they settled. */
  closings: string;
  /** Hash: owner and key to the pending id. */
  names: string;
  /** Hash: id to draft. */
  drafts: string;
  /** Stream: the latest changes. */
  changes: string;
  /** Hash: the number of the last change. */
  meta: string;
  /** Stream: the record of approvals, each entry under its number. */
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

/** In the order in which every script takes them. */
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
