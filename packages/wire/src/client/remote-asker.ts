import { AskboxError, type Asker, type Clock, type Collected, collected, type RelayedAsker, type WaitOptions } from "@askbox/core";
import type { Result } from "../protocol/methods.ts";
import type { Call, Calls } from "./calls.ts";
import { remoteForms } from "./remote-forms.ts";

/** The `Asker` of a hub. An ask outlives the connection: on the next one it goes on with the session that it opened. */
export function remoteAsker(calls: Calls, clock: Clock): Asker {
  const port: Pick<RelayedAsker, "acknowledge" | "release"> = {
    async acknowledge(given, { callId } = {}) {
      await calls.call("ack", { params: () => ({ given: [...given], callId }) }).result;
    },
    async release(given) {
      // No timeout: a hub that went away has forgotten what was in flight.
      await calls.call("nack", { params: () => ({ given: [...given] }), timeout: 0 }).result;
    },
  };
  const handover = ({ session, earlier, ...how }: Result<"resume">) => ({ session, ...how, ...collected([session], earlier, port) });

  /** What is left of the wait, counted from now; one that began stays one to its end, and does not become a look. */
  const waiting = ({ maxWait, earlier }: WaitOptions) => {
    const startedAt = clock.monotonic();
    const rest = (ms: number) => Math.max(Math.min(ms, 1), ms - (clock.monotonic() - startedAt));
    return () => ({ maxWait: maxWait === undefined ? undefined : rest(maxWait), earlier });
  };
  const held = async (call: Call<"ask"> | Call<"resume">, { signal }: WaitOptions) => {
    // An outcome that comes all the same has nobody to take it.
    const abort = () => call.abort(aborted(), (late) => void handover(late).nack());
    signal?.addEventListener("abort", abort, { once: true });
    // Begun and given up at once rather than not begun: so the hub knows that nobody waits for the session.
    if (signal?.aborted) abort();
    try {
      return handover(await call.result);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };

  return {
    ask(request, { onOpened, signal, idempotencyKey, asker, key, registeredOnly, replaces, ...options }) {
      if (signal?.aborted) return Promise.reject(aborted());
      const rest = waiting(options);
      let sessionId: string | undefined;
      const call = calls.call("ask", {
        op: idempotencyKey,
        params: () =>
          sessionId === undefined ? { request, asker, key, registeredOnly, replaces, ...rest() } : { sessionId, asker, ...rest() },
        onOpened(opened) {
          sessionId = opened.session.id;
          onOpened?.(opened);
        },
      });
      return held(call, { signal });
    },
    resume(sessionId, { signal, reply, idempotencyKey, ...options } = {}) {
      const rest = waiting(options);
      return held(calls.call("resume", { op: idempotencyKey, params: () => ({ sessionId, reply, ...rest() }) }), { signal });
    },
    withdraw: (sessionId, { reason, idempotencyKey } = {}) =>
      calls.call("withdraw", { params: () => ({ sessionId, reason }), op: idempotencyKey }).result,
    async collect(asker): Promise<Collected> {
      const { earlier } = await calls.call("collect", { params: () => ({ asker }) }).result;
      return collected([], earlier, port);
    },
    forms: remoteForms(calls),
  };
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was given up; the session goes on.");
}
