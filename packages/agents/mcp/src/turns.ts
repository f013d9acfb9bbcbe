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
