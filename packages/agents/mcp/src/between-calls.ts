import type { AskerInfo } from "@askbox/core";

/**
 * What a server remembers of its agents between calls: the tickets they have not redeemed, and whose turn it is.
 */

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

/** Runs the calls of one agent one after the other, in order of arrival. */
export interface Turns {
  /**
   * Resolves with a release function once it is this call's turn. If aborted before, it leaves the queue and throws the signal's reason.
   */
  take(agentId: string, signal: AbortSignal): Promise<() => void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(agentId, signal) {
      const before = last.get(agentId);
      const over = Promise.withResolvers<void>();
      // Later calls wait for all earlier ones, even if one of those is aborted.
      const mine = Promise.all([before, over.promise]).then(() => {
        if (last.get(agentId) === mine) last.delete(agentId);
      });
      last.set(agentId, mine);
      const aborted = Promise.withResolvers<never>();
      const abort = () => aborted.reject(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      try {
        if (signal.aborted) throw signal.reason;
        await Promise.race([before, aborted.promise]);
        return over.resolve;
      } catch (error) {
        over.resolve();
        throw error;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
  };
}
