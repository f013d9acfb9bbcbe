import { type Clock, isAskboxError, type Log } from "@askbox/core";

/** What fails: tried three times, waited for, and logged once. */

/** How often something is tried that fails otherwise than by the store, and milliseconds in between. */
const [tries, again] = [3, 500];
/** Milliseconds for which a failure is shown. */
const shownFor = 3_600_000;

export interface Failures {
  /**
   * Does something, and gives it up after three failures, so that it holds back nothing else: undefined then. Rejects at once if the store
   * can't be reached, since that passes, or if all is closed. `what`: a clause, such as `a press failed`.
   */
  attempt<Value>(what: string, run: () => Promise<Value>): Promise<Value | undefined>;
  /** What was given up in the last hour. */
  trouble(): string | undefined;
  close(): void;
}

export function failures(clock: Clock, log: Log): Failures {
  const end = new AbortController();
  let last: { what: string; at: number } | undefined;
  return {
    async attempt(what, run) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await run();
        } catch (error) {
          if (isAskboxError(error, "STORE_UNAVAILABLE") || end.signal.aborted) throw error;
          if (attempt === tries) {
            last = { what, at: clock.monotonic() };
            log("error", `${what.charAt(0).toUpperCase()}${what.slice(1)} after ${tries} attempts; it is given up.`, {
              error: String(error),
            });
            return undefined;
          }
        }
        await pause(clock, again, end.signal);
      }
    },
    trouble: () => (last === undefined || clock.monotonic() - last.at > shownFor ? undefined : `${last.what}; the hub's log says why`),
    close: () => end.abort(),
  };
}

/** Resolves after a time in ms, or when the signal is aborted. */
export function pause(clock: Clock, delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.setTimer(delay, end);
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Logs a warning, once per sentence. */
export type WarnOnce = (sentence: string, data?: Record<string, unknown>) => void;

export function warnOnceTo(log: Log): WarnOnce {
  const said = new Set<string>();
  return (sentence, data) => {
    if (said.has(sentence)) return;
    said.add(sentence);
    log("warn", sentence, data);
  };
}
