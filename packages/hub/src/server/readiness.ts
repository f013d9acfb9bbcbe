import { type Clock, type Log, toAskboxError } from "@askbox/core";

/** How long what is behind the hub may take to answer, in ms: shorter than the probes of common supervisors are patient. */
const timeout = 2_000;

export interface Readiness {
  status: "ready" | "closing" | "unavailable";
  [fact: string]: unknown;
}

interface ReadinessOptions {
  /** What is told beside the status; rejects while the hub cannot do its work. */
  readiness: (() => Promise<Record<string, unknown>>) | undefined;
  closing: AbortSignal;
  clock: Clock;
  log: Log;
}

/** Whether the hub can do its work. Whoever asks while what is behind it is being asked gets the same answer. */
export function readinessOf({ readiness, closing, clock, log }: ReadinessOptions): () => Promise<Readiness> {
  let looking: Promise<Readiness> | undefined;
  let isReady = true;
  const look = async (): Promise<Readiness> => {
    const timedOut = Promise.withResolvers<never>();
    const cancel = clock.setTimer(timeout, () => timedOut.reject(new Error(`There was no answer within ${timeout} ms.`)));
    try {
      const facts = await Promise.race([readiness?.() ?? Promise.resolve({}), timedOut.promise]);
      if (!isReady) log("info", "The hub is ready again");
      isReady = true;
      return { ...facts, status: "ready" };
    } catch (error) {
      // Why is for the log and for `hub status`: anybody may ask here. Once, since probes come every few seconds.
      if (isReady) log("warn", "The hub is not ready", { error: toAskboxError(error).message });
      isReady = false;
      return { status: "unavailable", detail: "The hub cannot reach its store; it goes on by itself when the store is back." };
    } finally {
      cancel();
    }
  };
  return async () => {
    if (closing.aborted) return { status: "closing" };
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  };
}
