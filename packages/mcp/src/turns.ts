/** Lets the calls of one agent pass one after the other, in the order in which they came. */
export interface Turns {
  /**
   * Resolves with how to make way for the next once it is this call's turn. Aborted before, it gives the place up and throws the signal's
   * reason.
   */
  take(agentId: string, signal: AbortSignal): Promise<() => void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    async take(agentId, signal) {
      const before = last.get(agentId);
      const over = Promise.withResolvers<void>();
      // Whoever comes next waits for all before it, also for one that gives up.
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
