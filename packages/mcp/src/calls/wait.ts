import { isAskboxError, type SessionRecord } from "@askbox/core";
import { movedElsewhere } from "../moved-elsewhere.ts";
import { type Call, type NamedAsker, timeLeft } from "./call.ts";

/** How much later than its client's limit a call may come back, in ms. The hub gives the ticket on time; this is for one that does not answer. */
const overtime = 3_000;

/** The work's result, or undefined if the call has to be back and it is not there. */
export async function inTime<Result>(call: Call, work: Promise<Result>): Promise<Result | undefined> {
  const left = timeLeft(call);
  if (left === undefined) return work;
  const over = Promise.withResolvers<undefined>();
  const cancel = call.server.platform.clock.setTimer(left + overtime, () => over.resolve(undefined));
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    cancel();
  }
}

/**
 * Waits until the session settles, the time is up, or the call is cancelled. Where cancelling withdraws, the questions are taken
 * back before the error goes on its way. Undefined if the hub was lost and the call has to be back.
 */
export async function waitFor(
  call: Call,
  { port }: NamedAsker,
  sessionId: string,
  ticketAfter: number | undefined,
): Promise<SessionRecord | undefined> {
  const givenUp = new AbortController();
  const signal = AbortSignal.any([call.signal, givenUp.signal]);
  const wait = port.wait(sessionId, { signal, ...(ticketAfter === undefined ? {} : { ticketAfter }) });
  try {
    return await inTime(call, wait);
  } catch (error) {
    const isGivenUp = call.signal.aborted && call.signal.reason !== movedElsewhere;
    if (isGivenUp && call.server.onCancel === "withdraw") await withdraw(call, port, sessionId);
    throw error;
  } finally {
    // Of no effect on a wait that is over; one that is not has nobody left to tell.
    wait.catch(() => {});
    givenUp.abort();
  }
}

async function withdraw(call: Call, port: NamedAsker["port"], sessionId: string): Promise<void> {
  try {
    await port.withdraw(sessionId, { reason: "The call that asked was cancelled." });
  } catch (error) {
    // Whoever settled it first has won; the outcome is kept for the next ask.
    if (isAskboxError(error, "SESSION_CLOSED")) return;
    call.server.log("warn", "The questions of a cancelled call could not be withdrawn", {
      sessionId,
      callId: call.id,
      error: String(error),
    });
  }
}
