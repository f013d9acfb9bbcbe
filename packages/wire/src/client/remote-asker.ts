import type { Asker, AskerInfo, Clock, ResumeOptions, WaitOptions } from "@askbox/core";
import { AskboxError, type Collected, collected, isAskboxError, type RelayedAsker } from "@askbox/core/transport";
import type { Result } from "../protocol/operations.ts";
import type { Ports } from "../protocol/ports.ts";
import type { Call, Calls } from "./calls.ts";
import type { EndedCalls } from "./ended-calls.ts";

/** The `Asker` of a hub. An ask outlives the connection: after a reconnect it continues with the session that it opened. */
export function remoteAsker(
  calls: Calls,
  { asker: port, forms }: Pick<Ports<"sent">, "asker" | "forms">,
  clock: Clock,
  ended: EndedCalls,
): Asker {
  const portOf = (asker: AskerInfo | undefined): Pick<RelayedAsker, "acknowledge" | "release"> => ({
    async acknowledge(outcomes, { callId } = {}) {
      await calls.call("ack", { params: () => ({ given: [...outcomes], callId, asker, calls: ended.take() }) }).result;
    },
    async release(outcomes) {
      // No timeout: a hub that disconnected no longer knows the deliveries in progress.
      await calls.call("nack", { params: () => ({ given: [...outcomes] }), timeout: 0 }).result;
    },
  });
  const handover = ({ session, earlier, ...how }: Result<"resume">, asker: AskerInfo | undefined) => ({
    session,
    ...how,
    ...collected([session], earlier, portOf(asker)),
  });

  /** The remaining wait from now on. A wait never becomes a mere lookup. */
  const waiting = ({ maxWait, earlier }: WaitOptions) => {
    const startedAt = clock.monotonic();
    const rest = (ms: number) => Math.max(Math.min(ms, 1), ms - (clock.monotonic() - startedAt));
    return () => ({ maxWait: maxWait === undefined ? undefined : rest(maxWait), earlier });
  };
  const held = async (call: Call<"ask"> | Call<"resume">, { signal, asker }: ResumeOptions) => {
    // A result that still arrives is not delivered to anyone.
    const abort = () => call.abort(aborted(), (late) => void handover(late, asker).nack());
    signal?.addEventListener("abort", abort, { once: true });
    // Sent and cancelled at once rather than not sent, so that the hub knows that nothing waits for the session.
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
    withdraw: port.withdraw,
    async collect(asker): Promise<Collected> {
      const { earlier } = await port.collect(asker);
      return collected([], earlier, portOf(asker));
    },
    forms: {
      ...forms,
      async allowed() {
        try {
          return await forms.allowed();
        } catch (error) {
          // A hub without this method accepts no answers from forms.
          if (isAskboxError(error, "VALIDATION")) return false;
          throw error;
        }
      },
    },
  };
}

function aborted(): AskboxError {
  return new AskboxError("ABORTED", "The wait was cancelled; the session stays open.");
}
