import { type Desk, isAskboxError, type Log, type SessionView } from "@askbox/core";
import { eventOf, type NotifyEvent } from "../event.ts";
import { eventNotice } from "../notice.ts";
import type { ButtonPressResult } from "../push/options.ts";
import type { WarnOnce } from "../warn-once.ts";
import type { Button } from "./buttons.ts";
import { isTestToken } from "./test-token.ts";
import type { ButtonTokens } from "./tokens.ts";

export interface TakeButtonPressOptions {
  desk: Pick<Desk, "answer" | "get">;
  tokens: ButtonTokens;
  /** Where the button was shown; `shown`: without secrets. */
  place: string;
  shown: string;
  log: Log;
  warnOnce: WarnOnce;
  /** The buttons that the session has there now. */
  buttonsOf(session: SessionView): readonly Button[];
  /** Tells the person that it was not taken; for a place that gets no response to a press. */
  tell?(event: NotifyEvent): void;
}

const refused = (why: string): ButtonPressResult => ({ status: "refused", why });

/** Answers with a press. Rejects if that should be tried again: nothing is known about the answer then. */
export async function takeButtonPress(token: string, options: TakeButtonPressOptions): Promise<ButtonPressResult> {
  const { desk, tokens, place, shown, log, warnOnce, buttonsOf, tell } = options;
  if (isTestToken(token)) return refused("It is a test.");
  const press = await tokens.redeem(place, token);
  if (press === "forged") {
    warnOnce(`A message came from ${shown} that is no press of a button; it was ignored.`);
    return refused("This button is not one of this inbox.");
  }
  if (press === "unknown") {
    warnOnce(`A button of ${shown} was pressed that is no longer known; it was ignored.`);
    return refused("This button is too old. Open the question to answer it.");
  }
  const { random, handed, answer, index } = press;
  const { sessionId } = handed;
  try {
    const session = await desk.get(sessionId);
    const isOffered =
      session.status !== "pending" ||
      session.scheduled !== undefined ||
      buttonsOf(session).some((button) => JSON.stringify(button.answer) === JSON.stringify(answer));
    if (!isOffered) {
      warnOnce(`A button of ${shown} was pressed that is no longer offered there; it was ignored.`, { sessionId });
      return refused("This button is no longer offered. Open the question to answer it.");
    }
    // The key of this button alone: one that was pressed after another is late.
    await desk.answer(sessionId, answer, { idempotencyKey: `press-${random}-${index}` });
    const isRepeated = session.status !== "pending";
    if (!isRepeated) log("info", `Answered by a press at ${shown}`, { sessionId });
    return { status: "taken", isRepeated };
  } catch (error) {
    if (!isAskboxError(error) || error.code === "STORE_UNAVAILABLE") throw error;
    warnOnce(`A press at ${shown} for session ${sessionId} was not taken`, { why: error.message });
    if (error.code !== "SESSION_CLOSED") return refused(error.message);
    const late: NotifyEvent = {
      ...eventOf("session.settled", await desk.get(sessionId)),
      id: `${sessionId}.late.${random}`,
      isLate: true,
    };
    tell?.(late);
    return refused(eventNotice(late, { showText: true }).body);
  }
}
