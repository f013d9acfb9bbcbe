import type { AskerInfo } from "@askbox/core";

/** How many tickets of one asker are remembered; older ones can still be redeemed by their sessionId. */
const remembered = 100;

/** The open tickets of each asker, so that `get_answer` works without an id. */
export interface Tickets {
  add(asker: AskerInfo, sessionId: string): void;
  remove(asker: AskerInfo, sessionId: string): void;
  latest(asker: AskerInfo): string | undefined;
}

const keyOf = ({ client, project, agentId }: AskerInfo) => JSON.stringify([client.name, project, agentId]);

export function createTickets(): Tickets {
  const byAsker = new Map<string, string[]>();
  const without = (asker: AskerInfo, sessionId: string) => (byAsker.get(keyOf(asker)) ?? []).filter((id) => id !== sessionId);
  return {
    add(asker, sessionId) {
      byAsker.set(keyOf(asker), [...without(asker, sessionId), sessionId].slice(-remembered));
    },
    remove(asker, sessionId) {
      const rest = without(asker, sessionId);
      if (rest.length === 0) byAsker.delete(keyOf(asker));
      else byAsker.set(keyOf(asker), rest);
    },
    latest: (asker) => byAsker.get(keyOf(asker))?.at(-1),
  };
}
