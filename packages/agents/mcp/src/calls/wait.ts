import { AskboxError, type Handover, isAskboxError, type WaitOptions } from "@askbox/core";
import { movedElsewhere } from "../ask-mcp-server.ts";
import { type Call, type NamedAsker, timeLeft } from "./call.ts";

/**
 * How long after its client's limit a call returns at the latest, in ms. Normally the hub returns a ticket in time; this is for a hub that
 * does not respond.
 */
const overtime = 3_000;

interface WaitOn extends NamedAsker {
  /** The session that the call waits for, once known. */
  sessionId(): string | undefined;
  /** Milliseconds; undefined without a limit. Default: the remaining time of the call. */
  maxWait?: number | undefined;
}

/**
 * Runs an ask or a resume until the session settles, the time is up, or the call is cancelled. If cancelling withdraws, the questions are
 * withdrawn before the error is thrown. Returns undefined if the connection to the hub was lost and the call must return; throws
 * `HUB_UNREACHABLE` if it is not even known whether the hub has the questions.
 */
export async function held(
  call: Call,
  { port, info, sessionId, maxWait = timeLeft(call) }: WaitOn,
  run: (options: WaitOptions, opened: () => void) => Promise<Handover>,
): Promise<Handover | undefined> {
  const givenUp = new AbortController();
  const { onCancel } = call.server;
  /** If cancelling withdraws, waits for questions that are being sent, so that they can be withdrawn. */
  const stop = () => {
    if (call.signal.aborted && (onCancel === "keep" || sessionId() !== undefined)) givenUp.abort();
  };
  call.signal.addEventListener("abort", stop, { once: true });
  stop();
  const isCalledOff = () => call.signal.aborted && call.signal.reason !== movedElsewhere;
  const working = run({ signal: givenUp.signal, maxWait }, stop);
  try {
    const handover = await inTime(call, working);
    if (handover === undefined && sessionId() === undefined) throw unconfirmed();
    return handover;
  } catch (error) {
    const id = sessionId();
    if (id !== undefined && isCalledOff() && onCancel === "withdraw") await withdraw(call, { port, info }, id);
    throw error;
  } finally {
    // Does nothing if it has ended; otherwise nothing waits for the result.
    working.catch(() => {});
    call.signal.removeEventListener("abort", stop);
    // Without a reason, each call would create an error with a stack trace.
    givenUp.abort("over");
  }
}

const unconfirmed = () =>
  new AskboxError("HUB_UNREACHABLE", "The hub did not say in time that it has the questions; see `askbox hub status`.");

/** The work's result; undefined if the call must return first. */
async function inTime<Result>(call: Call, work: Promise<Result>): Promise<Result | undefined> {
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

async function withdraw(call: Call, { port, info }: NamedAsker, sessionId: string): Promise<void> {
  try {
    await port.withdraw(sessionId, { asker: info, reason: "The call that asked was cancelled." });
  } catch (error) {
    // If it is already settled, the outcome is kept for the next ask.
    if (isAskboxError(error, "SESSION_CLOSED")) return;
    call.server.log("warn", "The questions of a cancelled call could not be withdrawn", {
      sessionId,
      callId: call.id,
      error: String(error),
    });
  }
}
