import { type Clock, type Log, toAskboxError } from "@askbox/core";

/** How long the readiness check may take, in ms: less than the probe timeout of common supervisors. */
const timeout = 2_000;

export interface Readiness {
  status: "ready" | "closing" | "unavailable";
  [fact: string]: unknown;
}

interface ReadinessOptions {
  /** What is reported in addition to the status; rejects while the hub cannot do its work. */
  readiness: (() => Promise<Record<string, unknown>>) | undefined;
  closing: AbortSignal;
  clock: Clock;
  log: Log;
}

/** Whether the hub can do its work. Concurrent requests share one check. */
export function readinessOf({ readiness, closing, clock, log }: ReadinessOptions): () => Promise<Readiness> {
  let looking: Promise<Readiness> | undefined;
  let isReady = true;
  const look = async (): Promise<Readiness> => {
    const overdue = Promise.withResolvers<never>();
    const cancel = clock.setTimer(timeout, () => overdue.reject(new Error(`No answer within ${timeout} ms.`)));
    try {
      const facts = await Promise.race([readiness?.() ?? Promise.resolve({}), overdue.promise]);
      if (!isReady) log("info", "The hub is ready again");
      isReady = true;
      return { ...facts, status: "ready" };
    } catch (error) {
      // The reason goes to the log and to `hub status` only, since this endpoint is public. It is logged once, since probes come every few
      // seconds.
      if (isReady) log("warn", "The hub is not ready", { error: toAskboxError(error).message });
      isReady = false;
      return { status: "unavailable", detail: "The hub cannot reach its store; it recovers automatically once the store is back." };
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
