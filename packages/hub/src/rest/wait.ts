import { AskboxError, type Desk, isAskboxError, type SessionView, type Watch } from "@askbox/core";
import type { Context } from "hono";
import * as z from "zod";
import { check } from "./body.ts";
import type { RestContext, RestEnv } from "./context.ts";

/** The longest wait in seconds: the longest timeout of a question. */
const maxWait = 1_800;
const waitSchema = z.coerce.number("must be a number of seconds").min(0);
export const waitQuerySchema = z.object({ wait: waitSchema.optional() });

/** The seconds of `?wait=`: default 0, at most half an hour. */
export function waitSeconds(c: Context<RestEnv>): number {
  const text = c.req.query("wait");
  return text === undefined ? 0 : Math.min(check(z.object({ wait: waitSchema }), { wait: text }).wait, maxWait);
}

/**
 * Aborts when the client disconnects, its token is revoked or expires, or the hub closes. Throws `UNAUTHORIZED` if the token is no longer
 * valid.
 */
export function goneSignal(c: Context<RestEnv>, closing: AbortSignal): AbortSignal {
  const { exchange } = c.env;
  exchange.endWith(c.get("access"), c.get("uses"));
  return AbortSignal.any([exchange.signal, closing]);
}

/** Waits until a session is settled or the time is up, and resolves with its current state. Throws `HUB_CLOSING`. */
export async function waitAsDesk(c: Context<RestEnv>, desk: Desk, { clock, seconds, closing, id }: WaitAsDesk): Promise<SessionView> {
  const session = await desk.get(id);
  if (seconds === 0 || session.status !== "pending") return session;
  const signal = goneSignal(c, closing);
  let watch: Watch | undefined;
  let cancelTimer = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const stop = () => resolve();
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      cancelTimer = clock.setTimer(seconds * 1_000, stop);
      desk
        .watch({ sessionId: session.id, presence: true }, (event) => {
          const isSettled = event.type === "session" && event.session.status !== "pending";
          // It may have been settled between the first read and the snapshot.
          const isMissing = event.type === "snapshot" && event.sessions.length === 0;
          if (isSettled || isMissing || event.type === "removed") stop();
        })
        .then((begun) => {
          watch = begun;
          if (signal.aborted) begun.close();
        }, reject);
    });
    if (closing.aborted) throw hubClosing();
    return await desk.get(session.id);
  } finally {
    watch?.close();
    cancelTimer();
  }
}

interface WaitAsDesk {
  clock: RestContext["platform"]["clock"];
  seconds: number;
  closing: AbortSignal;
  id: string;
}

/** The error for a wait that the closing hub aborted. */
export const explainAbort = (error: unknown, closing: AbortSignal): unknown =>
  isAskboxError(error, "ABORTED") && closing.aborted ? hubClosing() : error;

export const hubClosing = () => new AskboxError("HUB_CLOSING", "The hub is closing; connect again to keep waiting.");
