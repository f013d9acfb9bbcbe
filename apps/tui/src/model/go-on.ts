import { errorOf } from "@askbox/react";
import { fieldOf, questionOf } from "./form-items.ts";
import { goTo, stayAt } from "./navigate.ts";
import type { Turn } from "./turn.ts";

/** Continues from a question to the next or to the review; sends the answer if there is only one question. */
export function goOn(turn: Turn): void {
  const form = turn.form();
  if (form === undefined) return;
  const { session, step, steps } = form;
  if (steps === 1) return submit(turn);
  const question = questionOf(form);
  turn.do({ kind: "check", session: session.id });
  // Enter doesn't skip a required question, since people press it twice.
  if (question !== undefined && errorOf(question, fieldOf(form, question)) !== undefined) return stayAt(turn, step);
  goTo(turn, step + 1);
}

export function submit(turn: Turn): void {
  const { open } = turn.ui;
  if (open !== undefined) turn.do({ kind: "submit", session: open });
}

/** An answer or cancellation was rejected: shows the validation error, or the hub's reason. */
export function showRefusal(turn: Turn): void {
  const form = turn.form();
  if (form === undefined) return;
  if (form.failure === undefined) return stayAt(turn, form.step);
  if (form.failure.code !== "SESSION_CLOSED") turn.say(form.failure.message, "error");
}
