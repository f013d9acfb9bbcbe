import { AskboxError, type Asker, type AskerInfo, type Clock, type ResumeOptions, type WaitOptions } from "@askbox/core";
import { type Collected, collected, type RelayedAsker } from "@askbox/core/transport";
import type { Result } from "../protocol/methods.ts";
import type { Call, Calls } from "./calls.ts";
import { remoteForms } from "./remote-forms.ts";

/** The `Asker` of a hub. An ask outlives the connection: on the next one it continues with the session that it opened. */
export function remoteAsker(calls: Calls, clock: Clock): Asker {
  const portOf = (asker: AskerInfo | undefined): Pick<RelayedAsker, "acknowledge" | "release"> => ({
    async acknowledge(given, { callId } = {}) {
      await calls.call("ack", { params: () => ({ given: [...given], callId, asker }) }).result;
    },
    async release(given) {
      // No timeout: a hub that went away has forgotten what was in flight.
      await calls.call("nack", { params: () => ({ given: [...given] }), timeout: 0 }).result;
    },
  });
  const handover = ({ session, earlier, ...how }: Result<"resume">, asker: AskerInfo | undefined) => ({
    ...{ session, ...how },
    ...collected([session], earlier, portOf(asker)),
  });

  /** What is left of the wait, counted from now; one that began stays one to its end, and does not become a look. */
  const waiting = ({ maxWait, earlier }: WaitOptions) => {
    const startedAt = clock.monotonic();
    const rest = (ms: number) => Math.max(Math.min(ms, 1), ms - (clock.monotonic() - startedAt));
    return () => ({ maxWait: maxWait === undefined ? undefined : rest(maxWait), earlier });
  };
  const held = async (call: Call<"ask"> | Call<"resume">, { signal, asker }: ResumeOptions) => {
    // An outcome that comes all the same has nobody to take it.
    const abort = () => call.abort(aborted(), (late) => void handover(late, asker).nack());
    signal?.addEventListener("abort", abort, { once: true });
    // Begun and given up at once rather than not begun: so the hub knows that nobody waits for the session.
    if (signal?.aborted) abort();
    try {
      return handover(await call.result, asker);
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
      return held(call, { signal, asker });
    },
    resume(sessionId, { signal, asker, reply, idempotencyKey, ...options } = {}) {
      const rest = waiting(options);
      return held(calls.call("resume", { op: idempotencyKey, params: () => ({ sessionId, asker, reply, ...rest() }) }), { signal, asker });
    },
    withdraw: (sessionId, { reason, asker, idempotencyKey } = {}) =>
      calls.call("withdraw", { params: () => ({ sessionId, reason, asker }), op: idempotencyKey }).result,
    async collect(asker): Promise<Collected> {
      const { earlier } = await calls.call("collect", { params: () => ({ asker }) }).result;
      return collected([], earlier, portOf(asker));
    },
    forms: remoteForms(calls),
  };
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was cancelled; the session stays open.");
}
