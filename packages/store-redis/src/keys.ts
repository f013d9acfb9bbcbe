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
  /** Hash: the sessions that wait to be in the search's index, to the write that they wait for. */
  searchWaiting: string;
  /** Hash: the blocks of the index, to those of their sessions that every search compares. */
  searchBlocks: string;
  /** Hash: block and part to the part; block to its sessions. */
  searchParts: string;
  /** Hash: the sessions that are in the index, to their latest block. */
  searchPlaces: string;
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
    searchWaiting: key("search-waiting"),
    searchBlocks: key("search-blocks"),
    searchParts: key("search-parts"),
    searchPlaces: key("search-places"),
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
  keys.searchWaiting,
  keys.searchBlocks,
  keys.searchParts,
  keys.searchPlaces,
];
