import { errorOf, type FormState, isAnswered, type Unread, unreadIn } from "@askbox/inbox";
import { typingKey } from "@askbox/inbox/commands";
import { allowsCommented } from "@askbox/inbox/list";
import { fieldOf, questionOf } from "./form-items.ts";
import { goTo, stayAt } from "./navigate.ts";
import type { Turn } from "./turn.ts";
import { shortKey } from "./words.ts";

/** Continues from a question to the next or to the review; sends the answer if there is only one question. */
export function advance(turn: Turn): void {
  const form = turn.form();
  if (form === undefined) return;
  const { session, step, steps } = form;
  const question = questionOf(form);
  if (steps === 1) {
    const isEmpty = question !== undefined && !question.required && !isAnswered(question, fieldOf(form, question));
    if (!isEmpty || errorOf(question, fieldOf(form, question)) !== undefined) return submit(turn);
    const [skip = "", send = ""] = (["skip", "review"] as const).map((action) => shortKey(typingKey(turn.seen.keymap, action)));
    return turn.say(`There is no answer yet. ${skip} skips the question, ${send} sends it.`, "warning");
  }
  turn.do({ kind: "check", session: session.id });
  // Enter doesn't skip a required question, since people press it twice.
  if (question !== undefined && errorOf(question, fieldOf(form, question)) !== undefined) return stayAt(turn, step, turn.ui.item);
  goTo(turn, step + 1);
}

/** Sends the answer, unless it allows an action that was not seen whole. */
export function submit(turn: Turn): void {
  const form = turn.form();
  // Waiting or reading on would not change that comments keep it.
  if (form === undefined || sayCommented(turn, form)) return;
  const unread = unreadIn(form, turn.seen.look);
  if (unread !== undefined) return sayUnread(turn, unread);
  // Should it be refused, the next keys are meant for it.
  turn.set({ openedNext: undefined });
  turn.do({ kind: "submit", session: form.session.id });
}

/** Why an action is not allowed yet. */
export function sayUnread(turn: Turn, why: Unread): void {
  const [key = ""] = turn.seen.keymap.keysOf("pageDown");
  turn.say(
    why === "early" ? "This has only just appeared: read it, then allow it." : `Read it to its end first: ${shortKey(key)} scrolls.`,
    "warning",
  );
}

/** Says that comments on lines are only sent with a denial. Returns whether they keep an action from being allowed. */
function sayCommented(turn: Turn, form: FormState): boolean {
  const isKept = allowsCommented(form);
  if (isKept) turn.say("Your comments go with a denial: deny, or delete them to allow this.", "warning");
  return isKept;
}

/** An answer or cancellation was rejected: shows the validation error, or the hub's reason. */
export function showRefusal(turn: Turn): void {
  const form = turn.form();
  if (form === undefined) return;
  if (form.failure === undefined) return stayAt(turn, form.step, form.steps === 1 ? turn.ui.item : 0);
  const { action, code, message } = form.failure;
  if (code !== "SESSION_CLOSED") turn.say(action === "cancel" ? `Not declined: ${message}` : message, "error");
}
