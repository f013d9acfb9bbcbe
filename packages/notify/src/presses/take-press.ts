import { type Desk, isAskboxError, type Log, type SessionView } from "@askbox/core";
import { eventOf, type NotifyEvent } from "../event.ts";
import type { WarnOnce } from "../warn-once.ts";
import type { Button } from "./buttons.ts";
import { isTestToken } from "./test-token.ts";
import type { Presses } from "./tokens.ts";

export interface TakePressOptions {
  desk: Pick<Desk, "answer" | "get">;
  presses: Presses;
  /** Where the button was shown; `shown`: without secrets. */
  place: string;
  shown: string;
  log: Log;
  warnOnce: WarnOnce;
  /** The buttons that the session has there now. */
  buttonsOf(session: SessionView): readonly Button[];
  /** Tells the person that it was not taken. */
  tell(event: NotifyEvent): void;
}

/** Answers with a press. Rejects if that should be tried again: nothing is known about the answer then. */
export async function takePress(token: string, options: TakePressOptions): Promise<void> {
  const { desk, presses, place, shown, log, warnOnce, buttonsOf, tell } = options;
  if (isTestToken(token)) return;
  const press = await presses.redeem(place, token);
  if (press === "forged") return warnOnce(`A message came to the reply topic of ${shown} that is no press of a button; it was ignored.`);
  if (press === "unknown") return log("warn", `A button of ${shown} was pressed that is no longer known; it was ignored.`);
  const { random, handed, answer, index } = press;
  const { sessionId } = handed;
  try {
    const session = await desk.get(sessionId);
    const isOffered =
      session.status !== "pending" ||
      session.scheduled !== undefined ||
      buttonsOf(session).some((button) => JSON.stringify(button.answer) === JSON.stringify(answer));
    if (!isOffered) return log("warn", `A button of ${shown} was pressed that is no longer offered there; it was ignored.`, { sessionId });
    // The key of this button alone: one that was pressed after another is late.
    await desk.answer(sessionId, answer, { idempotencyKey: `press-${random}-${index}` });
    log("info", `Answered by a press at ${shown}`, { sessionId });
  } catch (error) {
    if (!isAskboxError(error) || error.code === "STORE_UNAVAILABLE") throw error;
    log("info", `A press at ${shown} was not taken`, { sessionId, why: error.message });
    if (error.code !== "SESSION_CLOSED") return;
    const late = eventOf("session.settled", await desk.get(sessionId));
    tell({ ...late, id: `${sessionId}.late.${random}`, isLate: true });
  }
}
