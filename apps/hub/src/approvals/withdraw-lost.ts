import type { Broker, SessionRecord, SessionStore } from "@askbox/core";

/**
 * Withdraws the permission requests that an earlier hub left pending when it was killed: their hooks ended with it, so nobody would receive an answer.
 * Only for a store of this hub alone, before it takes requests.
 */
export async function withdrawLost(store: SessionStore, broker: Broker): Promise<void> {
  const lost: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const found = await store.list({ states: ["pending"], order: "oldest", limit: 1_000, cursor });
    lost.push(...found.sessions.filter(({ asker }) => asker.tool === "approval"));
    cursor = found.next;
  } while (cursor !== undefined);
  for (const { id, owner, asker } of lost) {
    const port = broker.asker(owner);
    // A session that has timed out, or whose answer could still be undone, is already settled.
    await port.withdraw(id, { asker, reason: "The hub stopped before anybody decided." }).catch(() => {});
    port.close();
  }
}
