import type { SessionRecord, SessionStore } from "@askbox/core";

/** How much is pending. `bytes` is the size of the sessions as JSON: everything stored for an ask, not only its questions. */
export interface PendingLoad {
  sessions: number;
  bytes: number;
}

/** Counts of what is pending, kept in memory so that limits can be checked without waiting for the store. */
export interface PendingLedger {
  /** Of a token, across all its agent ids. */
  ofToken(owner: string): PendingLoad;
  /** Sessions of one agent id of a token; sessions without one count together. */
  ofAgent(owner: string, agentId: string | undefined): number;
  close(): void;
}

/** Maximum page size when listing the store. */
const page = 1_000;

/** Reads what is pending and then follows the store, including changes by other processes. */
export async function pendingLedger(store: SessionStore): Promise<PendingLedger> {
  const sessions = new Map<string, { owner: string; agent: string; bytes: number }>();
  const tokens = new Map<string, PendingLoad>();
  const agents = new Map<string, number>();
  /** Changes that arrive while the list is read may be newer than the list. */
  const settledMeanwhile = new Set<string>();
  let isLoading = true;

  /** A pending session grows when a person asks back and the agent replies. */
  const add = (record: SessionRecord) => {
    const { id, owner, asker } = record;
    const known = sessions.get(id);
    const agent = agentKey(owner, asker.agentId);
    const bytes = Buffer.byteLength(JSON.stringify(record));
    sessions.set(id, { owner, agent, bytes });
    const load = tokens.get(owner) ?? { sessions: 0, bytes: 0 };
    const isNew = known === undefined;
    tokens.set(owner, { sessions: load.sessions + (isNew ? 1 : 0), bytes: load.bytes + bytes - (known?.bytes ?? 0) });
    if (isNew) agents.set(agent, (agents.get(agent) ?? 0) + 1);
  };
  const drop = (id: string) => {
    if (isLoading) settledMeanwhile.add(id);
    const session = sessions.get(id);
    if (session === undefined) return;
    sessions.delete(id);
    const { owner, agent, bytes } = session;
    const load = tokens.get(owner) ?? { sessions: 1, bytes };
    if (load.sessions === 1) tokens.delete(owner);
    else tokens.set(owner, { sessions: load.sessions - 1, bytes: load.bytes - bytes });
    const left = (agents.get(agent) ?? 1) - 1;
    if (left === 0) agents.delete(agent);
    else agents.set(agent, left);
  };
  const see = (id: string, record: SessionRecord | undefined) => {
    if (record?.state === "pending") add(record);
    else drop(id);
  };

  // One after the other, so that no session appears pending after it appeared settled.
  let reading: Promise<void> = Promise.resolve();
  const unsubscribe = store.subscribe(({ id, revision, record }) => {
    if (record !== undefined || revision === 0) return see(id, record);
    reading = reading.then(async () => see(id, await store.get(id))).catch(() => {});
  });
  let cursor: string | undefined;
  do {
    const found = await store.list({ states: ["pending"], order: "oldest", limit: page, cursor });
    for (const record of found.sessions) if (!settledMeanwhile.has(record.id) && !sessions.has(record.id)) add(record);
    cursor = found.next;
  } while (cursor !== undefined);
  isLoading = false;
  settledMeanwhile.clear();

  return {
    ofToken: (owner) => tokens.get(owner) ?? { sessions: 0, bytes: 0 },
    ofAgent: (owner, agentId) => agents.get(agentKey(owner, agentId)) ?? 0,
    close: unsubscribe,
  };
}

/** One agent id of one token, as a key. */
export const agentKey = (owner: string, agentId: string | undefined): string => JSON.stringify([owner, agentId ?? null]);
