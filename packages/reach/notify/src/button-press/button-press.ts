import { type AnswerSet, type Desk, isAskboxError, type Log, type SessionView } from "@askbox/core";
import { actionParts, allImages, offeredOptions, traitsOf } from "@askbox/core/questions";
import { answerOf, emptyField, fieldAfter } from "@askbox/inbox/form";
import { exactText, plainText } from "@askbox/terminal-text";
import type { ButtonOptions } from "../channels/channel.ts";
import { eventOf, type NotifyEvent } from "../event.ts";
import type { WarnOnce } from "../failures.ts";
import { eventNotice } from "../notice.ts";
import { type ButtonTokens, isTestToken } from "./tokens.ts";

/**
 * An answer by the button of a notification: which buttons a message can have, and what happens when one is pressed.
 *
 * What can go wrong, a sentence for the person each: the token is forged, or too old; the button is not offered there any more, since a
 * setting or the question has changed; or somebody was faster. If the store can't be reached, `takeButtonPress` rejects, and the press is
 * taken again; its key makes that count once.
 */

/** An answer that one press gives. */
export interface Button {
  /** One line, as its answer is called everywhere. */
  label: string;
  answer: AnswerSet;
}

/** What a message with buttons shows, and what they answer. */
export interface Buttons {
  /** The whole question; undefined if it is too long for that. */
  whole?: string;
  /** The whole action, if it is too long for that: for a file. */
  file?: string;
  buttons: readonly Button[];
}

/**
 * The buttons that a session can have: for one question of which one option is picked, and that fits in whole. Nothing of it is cut or left
 * out: an answer belongs to what was shown. An action that does not fit can only be denied. Undefined for no buttons.
 */
export function buttonsOf(session: SessionView, options: ButtonOptions): Buttons | undefined {
  const { max, maxBody, maxLines = Number.POSITIVE_INFINITY, maxLabel, listsLabels = true, allow } = options;
  const [question, ...others] = session.questions;
  if (session.status !== "pending" || session.scheduled !== undefined || question === undefined || others.length > 0) return undefined;
  const { picks } = traitsOf(question);
  const offered = offeredOptions(question);
  // A message shows no pictures.
  const isShown = allImages(session.questions).length === 0;
  const fits = (body: string) => isShown && Buffer.byteLength(body) <= maxBody && body.split("\n").length <= maxLines;
  const button = ({ value, label }: { value: string; label: string }): Button => ({
    label,
    answer: { answers: [answerOf(question, fieldAfter(question, emptyField, { kind: "choose", value }))] },
  });
  const parts = [session.title, question.question, "document" in question ? question.document : undefined].filter(
    (part) => part !== undefined,
  );
  if (picks === "decision" && "action" in question) {
    const shown = actionParts(question.action, session.asker.machine).map(({ name, text }) =>
      text.includes("\n") ? `${name}:\n${text}` : `${name}: ${text}`,
    );
    const body = [...parts, ...shown].map(exactText).join("\n");
    const isWhole = fits(body);
    const pressable = offered.filter(({ shortcut }) => shortcut === "no" || (shortcut === "allow" && allow && isWhole));
    return { ...(isWhole ? { whole: body } : { file: body }), buttons: pressable.map(button) };
  }
  if (picks !== "one" || offered.length === 0 || offered.length > max) return undefined;
  const listed = offered
    .filter(({ description, preview }) => listsLabels || description !== undefined || preview !== undefined)
    .flatMap(({ label, description, preview }) => [`• ${label}`, description, preview]);
  const body = [...parts, ...listed].flatMap((text) => (text === undefined ? [] : text.split(/\r?\n/).map(plainText))).join("\n");
  const areShown = offered.every(
    ({ label }) => plainText(label) === label && !label.includes("\n") && Array.from(label).length <= maxLabel,
  );
  return areShown && fits(body) ? { whole: body, buttons: offered.map(button) } : undefined;
}

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

/** What came of a press. */
export type ButtonPressResult =
  | { status: "taken"; isRepeated: boolean }
  /** `why`: one sentence for the person. */
  | { status: "refused"; why: string };

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
    if (!isRepeated) log("info", `A button press at ${shown} answered`, { sessionId });
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
