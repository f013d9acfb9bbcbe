import { traitsOf } from "@askbox/core/questions";
import type { FormState } from "@askbox/react";
import { questionOf } from "./form-items.ts";
import { resumeText } from "./navigate.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { unsentText } from "./unsent.ts";

/** Starts a message to the agent: about the current question, or on the review about all of them. */
export function startMessage(turn: Turn, form: FormState): void {
  const { questions } = form.session;
  if (form.mode === "reply") return turn.say("The agent has already been told that nobody answered in time.");
  if (questions.some((question) => traitsOf(question).picks === "decision")) {
    return turn.say("An approval is allowed or denied; deny it, and give what you want to know as the reason.");
  }
  const about = questions.length > 1 ? questionOf(form)?.id : undefined;
  startEditing(turn, about === undefined ? { kind: "message" } : { kind: "message", about });
}

/** Starts a message to the agent of a settled session, with the draft that was not sent. */
export function startFollowUp(turn: Turn, form: FormState): void {
  const { id, questions } = form.session;
  if (questions.some((question) => traitsOf(question).picks === "decision"))
    return turn.say("The agent has only asked for permission, and reads no messages.");
  const draft = unsentText(form, turn.ui);
  if (draft !== undefined) turn.set({ unsent: { ...turn.ui.unsent, [id]: draft } });
  startEditing(turn, { kind: "message" });
}

/** Sends the message and returns to the form. An empty message is not sent. */
export function sendMessage(turn: Turn, { session }: FormState, text: string, about: string | undefined): void {
  if (text.trim() !== "") {
    turn.set({ unsent: { ...turn.ui.unsent, [session.id]: "" } });
    if (session.status !== "pending") {
      turn.set({ followedUp: [...turn.ui.followedUp.filter((id) => id !== session.id), session.id] });
      turn.do({ kind: "messageAgent", id: session.id, text });
    } else turn.do({ kind: "askBack", session: session.id, text, about });
  }
  resumeText(turn);
}

/** The message was sent: scrolls the thread to it. */
export function messageSent(turn: Turn, id: string): void {
  if (turn.ui.open === id) turn.set({ scroll: "thread" });
  const isAway = turn.seen.form(id)?.session.presence.asker === "away";
  turn.say(isAway ? "The agent has left. It gets this with its next call." : "Asked. The question stays open.", "success");
}

/** The message was rejected: restores its text when the user writes to the agent again. */
export function messageRefused(turn: Turn, id: string, text: string, why: string): void {
  const { unsent, followedUp } = turn.ui;
  turn.set({ followedUp: followedUp.filter((each) => each !== id) });
  if ((unsent[id] ?? "") === "") turn.set({ unsent: { ...unsent, [id]: text } });
  turn.say(why, "error");
}
