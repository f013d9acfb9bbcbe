import { AskboxError, type Handover, isAskboxError, type WaitOptions } from "@askbox/core";
import { movedElsewhere } from "../moved-elsewhere.ts";
import { type Call, type NamedAsker, timeLeft } from "./call.ts";

/** How much later than its client's limit a call may come back, in ms. The hub gives the ticket on time; this is for one that does not answer. */
const overtime = 3_000;

interface Held extends NamedAsker {
  /** The session that is waited for, once it is known. */
  sessionId(): string | undefined;
  /** Milliseconds; undefined for as long as it takes. Default: what the call has left. */
  maxWait?: number | undefined;
}

/**
 * Runs an ask or a resume until the session settles, the time is up, or the call is cancelled. Where cancelling withdraws, the questions are taken
 * back before the error goes on its way. Undefined if the hub was lost and the call has to be back; throws `HUB_UNREACHABLE` if it is not even known
 * to have the questions.
 */
export async function held(
  call: Call,
  { port, info, sessionId, maxWait = timeLeft(call) }: Held,
  run: (options: WaitOptions, opened: () => void) => Promise<Handover>,
): Promise<Handover | undefined> {
  const givenUp = new AbortController();
  const { onCancel } = call.server;
  /** Where cancelling withdraws, questions that are on their way are waited for, so that they can be taken back. */
  const stop = () => {
    if (call.signal.aborted && (onCancel === "keep" || sessionId() !== undefined)) givenUp.abort();
  };
  call.signal.addEventListener("abort", stop, { once: true });
  stop();
  const isCalledOff = () => call.signal.aborted && call.signal.reason !== movedElsewhere;
  const working = run({ signal: givenUp.signal, maxWait }, stop);
  try {
    const handover = await inTime(call, working);
    if (handover === undefined && sessionId() === undefined) throw notSaid();
    return handover;
  } catch (error) {
    const id = sessionId();
    if (id !== undefined && isCalledOff() && onCancel === "withdraw") await withdraw(call, { port, info }, id);
    throw error;
  } finally {
    // Of no effect on what is over; what is not has nobody left to tell.
    working.catch(() => {});
    call.signal.removeEventListener("abort", stop);
    // Without a reason an error with a stack would be made for each call.
    givenUp.abort("over");
  }
}

const notSaid = () => new AskboxError("HUB_UNREACHABLE", "The hub did not say in time that it has the questions; see `askbox hub status`.");

/** The work's result; undefined if the call has to be back and it is not there. */
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
    // Whoever settled it first has won; the outcome is kept for the next ask.
    if (isAskboxError(error, "SESSION_CLOSED")) return;
    call.server.log("warn", "The questions of a cancelled call could not be withdrawn", {
      sessionId,
      callId: call.id,
      error: String(error),
    });
  }
}
