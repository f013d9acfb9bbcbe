import type { SessionView } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { replyCount } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { describeOutcome } from "@askbox/inbox/describe";
import { sentText } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { type Item, questionOf } from "./form-items.ts";
import { forgetSent } from "./held.ts";
import { leave, open, openNext, reselect } from "./navigate.ts";
import type { Turn } from "./turn.ts";
import { unsentText } from "./unsent.ts";
import { outcomeWords } from "./words.ts";

/** The list has loaded: shows the only session if there is just one, otherwise the list. */
export function started(turn: Turn, pending: number, opensNone: boolean): void {
  reselect(turn);
  const first = turn.entries().find((entry) => "session" in entry)?.id;
  if (!opensNone && (turn.seen.once || pending === 1)) open(turn, first, "form");
}

/** Sessions were added, changed or removed. */
export function inboxChanged(turn: Turn): void {
  forgetSent(turn);
  reselect(turn);
  const form = turn.form();
  if (form === undefined || form.session.status === "pending" || !turn.seen.once || form.phase !== "settled") return;
  // What replaces it is a page of its own: a key that was meant for this one must decide nothing there.
  if (form.session.replacedBy !== undefined) return turn.say("The agent has asked something else instead; Enter opens it.");
  if (!form.settledHere) turn.say(`${outcomeWords(form.session)}.`);
  const isRead = unsentText(form, turn.ui) === undefined;
  if (form.session.outcome?.kind !== "timedOut" && isRead) leave(turn);
}

/**
 * The open form changed: it was settled elsewhere, or its answer is being held. `before`: the items of the form, if it was changed by something
 * else than a key, such as an upload or another device. Then the review's cursor stays on its item.
 */
export function formChanged(turn: Turn, before?: readonly Item[]): void {
  const form = turn.form();
  if (before !== undefined && form !== undefined && questionOf(form) === undefined) {
    const items = turn.items().map((item) => JSON.stringify(item));
    const at = items.indexOf(JSON.stringify(before[turn.ui.item]));
    turn.set({ item: at >= 0 ? at : Math.min(turn.ui.item, items.length - 1) });
  }
  if (form?.phase === "settled" && !form.settledHere) {
    const { editing, overlay, scroll } = turn.ui;
    // A message can still be sent: the agent gets it with its next call.
    if (editing?.target.kind === "message" || editing?.target.kind === "messageFile") return;
    // The outcome is shown above the thread.
    if (editing !== undefined || overlay !== undefined || scroll === "thread")
      turn.set({ editing: undefined, overlay: undefined, scroll: 0 });
  } else if (form?.phase === "scheduled" && turn.ui.editing !== undefined) {
    turn.set({ editing: undefined, overlay: undefined });
  }
}

/** The user settled the open session: moves to the next. */
export function settledHere(turn: Turn): void {
  const session = turn.session();
  turn.set({ editing: undefined, overlay: undefined });
  if (turn.seen.once) return leave(turn);
  const { focus } = turn.ui;
  open(turn, undefined);
  if (session === undefined) return;
  reselect(turn);
  if (focus === "form") openNext(turn);
  turn.say(session.reply === undefined ? `${sentText(describeOutcome(session))}.` : "Reply kept for the agent.", "success");
}

/** A session is new, or its agent has replied. A reply is shown if that session is open. */
export function arrived(turn: Turn, session: SessionView): void {
  const { focus, open: shown } = turn.ui;
  const isReplied = replyCount(session) > 0;
  if (shown === session.id && isReplied) {
    turn.set({ scroll: "thread" });
    return turn.say(`${terminalLine(clientTitle(session.asker.client.name))} replied.`);
  }
  if (focus === "form" && shown !== undefined && shown !== session.id) {
    turn.say(`${isReplied ? "Replied" : "New"}: ${terminalLine(sessionTitle(session))}`);
  }
}
