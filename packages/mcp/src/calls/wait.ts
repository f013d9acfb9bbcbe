import { isAskboxError, type SessionRecord } from "@askbox/core";
import type { Call, NamedAsker } from "./call.ts";

/**
 * Waits until the session settles, the time is up, or the call is cancelled. Where cancelling withdraws, the questions are taken
 * back before the error goes on its way.
 */
export async function waitFor(
  call: Call,
  { port }: NamedAsker,
  sessionId: string,
  ticketAfter: number | undefined,
): Promise<SessionRecord> {
  try {
    return await port.wait(sessionId, { signal: call.signal, ...(ticketAfter === undefined ? {} : { ticketAfter }) });
  } catch (error) {
    if (call.signal.aborted && call.server.onCancel === "withdraw") await withdraw(call, port, sessionId);
    throw error;
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
