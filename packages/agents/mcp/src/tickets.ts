import type { AskerInfo } from "@askbox/core";

/** How many tickets of one asker are remembered; older ones can still be redeemed by their sessionId. */
const remembered = 100;

/** The open tickets of each asker, so that `get_answer` works without an id, and nothing that was asked back is forgotten. */
export interface Tickets {
  /** `isAskedBack`: the agent was given a person's question to it, and has not replied. */
  add(asker: AskerInfo, sessionId: string, isAskedBack: boolean): void;
  remove(asker: AskerInfo, sessionId: string): void;
  latest(asker: AskerInfo): string | undefined;
  /** Those whose person waits for a reply, oldest first. */
  askedBack(asker: AskerInfo): string[];
}

interface Ticket {
  id: string;
  isAskedBack: boolean;
}

const keyOf = ({ client, project, agentId }: AskerInfo) => JSON.stringify([client.name, project, agentId]);

export function createTickets(): Tickets {
  const byAsker = new Map<string, Ticket[]>();
  const without = (asker: AskerInfo, sessionId: string) => (byAsker.get(keyOf(asker)) ?? []).filter(({ id }) => id !== sessionId);
  return {
    add(asker, sessionId, isAskedBack) {
      byAsker.set(keyOf(asker), [...without(asker, sessionId), { id: sessionId, isAskedBack }].slice(-remembered));
    },
    remove(asker, sessionId) {
      const rest = without(asker, sessionId);
      if (rest.length === 0) byAsker.delete(keyOf(asker));
      else byAsker.set(keyOf(asker), rest);
    },
    latest: (asker) => byAsker.get(keyOf(asker))?.at(-1)?.id,
    askedBack: (asker) => (byAsker.get(keyOf(asker)) ?? []).flatMap(({ id, isAskedBack }) => (isAskedBack ? [id] : [])),
  };
}
