import { AskboxError, type Asker, type Clock, isAskboxError } from "@askbox/core";
import type { Calls } from "./calls.ts";
import { remoteForms } from "./remote-forms.ts";

/** The `Asker` of a hub. A wait outlives the connection: it is begun again on each new one. */
export function remoteAsker(calls: Calls, clock: Clock): Asker {
  const asker: Asker = {
    // Sent again to a hub that was started again, an ask joins the session that it opened there before: its asker is detached then.
    open: (request, options) => calls.call("open", { params: () => ({ request, ...options }) }).result,

    async wait(sessionId, { signal, ticketAfter } = {}) {
      const startedAt = clock.monotonic();
      const rest = () => (ticketAfter === undefined ? undefined : Math.max(0, ticketAfter - (clock.monotonic() - startedAt)));
      const call = calls.call("wait", { params: () => ({ sessionId, ticketAfter: rest() }) });
      const abort = () => {
        // The outcome may be on its way, and nobody is here to take it.
        if (call.abort(aborted())) asker.release(sessionId).catch(() => {});
      };
      signal?.addEventListener("abort", abort, { once: true });
      // Begun and given up at once rather than not begun: so the hub knows that nobody waits for what was opened.
      if (signal?.aborted) abort();
      try {
        return await call.result;
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },

    async withdraw(sessionId, { reason } = {}) {
      const call = calls.call("withdraw", { params: () => ({ sessionId, reason }) });
      try {
        return await call.result;
      } catch (error) {
        if (!call.wasRepeated() || !isAskboxError(error, "SESSION_CLOSED")) throw error;
        const standing = await asker.wait(sessionId);
        const { outcome } = standing.context;
        if (outcome?.kind === "cancelled" && outcome.by.surface === "asker" && outcome.reason === reason) return standing;
        throw error;
      }
    },

    async delivered(sessionId, { callId } = {}) {
      await calls.call("delivered", { params: () => ({ sessionId, callId }) }).result;
    },

    async release(sessionId) {
      // No timeout: a hub that went away has forgotten what was on its way.
      await calls.call("release", { params: () => ({ sessionId }), timeout: 0 }).result;
    },

    earlier: (info) => calls.call("earlier", { params: () => ({ asker: info }) }).result,
    forms: remoteForms(calls, (id) => asker.wait(id)),
  };
  return asker;
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was given up; the session goes on.");
}
