import type { Clock, Log } from "@askbox/core";
import { backOff } from "@askbox/core/transport";
import { pause } from "./failures.ts";

/** Milliseconds between failed sessions, at first and at most; and after a refusal, which only a person can change. */
interface Delays {
  first: number;
  max: number;
  refused: number;
}
const usual: Delays = { first: 500, max: 4_000, refused: 60_000 };
/** A session that lasted this long, in ms, was no failure. */
const sound = 10_000;

/** How a session ended: by itself, with the next one to follow, or why it could not be. */
export interface Ended {
  /** A clause, such as `the token was revoked`. */
  why?: string | undefined;
  /** Milliseconds for which the service asked. */
  after?: number | undefined;
  /** Whether only a person can change that. */
  isRefused?: boolean | undefined;
  /** Whether it ended as it was meant to, and the next one follows at once. */
  isDone?: boolean | undefined;
}

export interface Session {
  signal: AbortSignal;
  /** It is read now. */
  works(): void;
}

export interface KeepReadingOptions {
  /** What a failure means, for the log: `Telegram is not read for now`. */
  meaning: string;
  delays?: Delays | undefined;
  clock: Clock;
  log: Log;
  /** It is read again after a failure. */
  onReady?(): void;
  /** One poll, or one connection from its opening to its end. What it rejects with could not be stored. */
  session(session: Session): Promise<Ended>;
}

export interface Reading {
  /** Why nothing is read; undefined if it is. */
  trouble(): string | undefined;
  close(): Promise<void>;
}

/**
 * Reads from a service, session after session, and never stops: after failures it waits longer. It logs why, and the same again only if a
 * session has ended well since.
 */
export function keepReading({ meaning, clock, log, delays = usual, onReady, session }: KeepReadingOptions): Reading {
  const end = new AbortController();
  let trouble: string | undefined;
  let said: string | undefined;
  let failures = 0;

  const works = () => {
    if (trouble !== undefined) onReady?.();
    trouble = undefined;
  };
  const fails = (why: string) => {
    if (why !== said) log("warn", `${meaning}: ${why}.`);
    said = why;
    trouble = why;
  };
  /** Milliseconds until the next one. */
  const run = async (): Promise<number> => {
    const start = clock.monotonic();
    try {
      const { why, after = 0, isRefused, isDone } = await session({ signal: end.signal, works });
      if (end.signal.aborted) return 0;
      if (why === undefined) said = undefined;
      else fails(why);
      if (isRefused) return delays.refused;
      failures = isDone || (why === undefined && clock.monotonic() - start >= sound) ? 0 : failures + 1;
      return Math.max(after, failures === 0 ? 0 : backOff(delays, failures - 1));
    } catch (error) {
      fails(`what people did could not be stored: ${error instanceof Error ? error.message : String(error)}`);
      return delays.first;
    }
  };
  const running = (async () => {
    while (!end.signal.aborted) {
      const delay = await run();
      if (delay > 0) await pause(clock, delay, end.signal);
    }
  })();
  return {
    trouble: () => trouble,
    async close() {
      end.abort();
      await running;
    },
  };
}
