import { answerText, tidyAnswer, traitsOf } from "@askbox/core/questions";
import { answerOf, type FormState, sessionTitle } from "@askbox/inbox";
import { describeAnswers } from "@askbox/inbox/describe";
import { endingNames, sentText } from "@askbox/inbox/text";
import { terminalLine } from "@askbox/terminal-text";
import { fieldOf } from "./form-items.ts";
import { undoSnooze } from "./menus.ts";
import { open, openNext, reselect } from "./navigate.ts";
import { declinedTogether } from "./selecting.ts";
import type { Turn } from "./turn.ts";
import { ended, shortKey } from "./words.ts";

/** An answer or a decline is held back, so that it can be undone: its question leaves the list, and the next one is shown. */
export function answerHeld(turn: Turn, id: string): void {
  const form = turn.seen.form(id);
  if (form === undefined) return;
  const { held, open: shown, focus } = turn.ui;
  turn.set({ held: [...held.filter((each) => each !== id), id], snoozed: [] });
  if (shown === id) {
    turn.set({ editing: undefined, overlay: undefined });
    open(turn, undefined);
  }
  reselect(turn);
  if (shown === id && focus === "form") openNext(turn);
  const undo = shortKey(turn.seen.keymap.keysOf("undo")[0] ?? "");
  const words = turn.ui.together.includes(id)
    ? declinedTogether(turn.ui, turn.seen)
    : form.scheduled?.declines
      ? `${endingNames.declined} · ${terminalLine(sessionTitle(form.session))}`
      : sentWords(form);
  turn.set({ notice: { text: `${ended(words)} ${undo} undoes it.`, tone: "success", held: id } });
}

/** Undoes the latest snooze, or else the latest answer or decline that is still held back. Returns whether there is one. */
export function undoLast(turn: Turn): boolean {
  if (undoSnooze(turn)) return true;
  const { held, together } = turn.ui;
  const last = held.at(-1);
  if (last === undefined) return false;
  const sessions = together.includes(last) ? held.filter((id) => together.includes(id)) : [last];
  for (const session of sessions) turn.do({ kind: "recall", session });
  return true;
}

/** The answer or decline was undone: its question is opened again, or is back in the list if there were several. */
export function answerRecalled(turn: Turn, id: string): void {
  const isOne = !turn.ui.together.includes(id);
  turn.set({ held: turn.ui.held.filter((each) => each !== id), ...((isOne || turn.ui.together[0] === id) && { selected: id }) });
  if (isOne) open(turn, id, "form");
  else reselect(turn);
  turn.say("Undone; nothing was sent.", "success");
}

/** Forgets what was sent meanwhile, or undone on another surface. */
export function forgetSent(turn: Turn): void {
  const { held, notice } = turn.ui;
  const left = held.filter((id) => turn.seen.form(id)?.phase === "scheduled");
  if (left.length === held.length) return;
  turn.set({ held: left });
  if (notice?.held !== undefined && !left.includes(notice.held)) turn.set({ notice: undefined });
}

/** `Sent “Yes” · Deploy`; without the answer if there are several. */
function sentWords(form: FormState): string {
  const { session } = form;
  const title = terminalLine(sessionTitle(session));
  const [question, ...others] = session.questions;
  if (question === undefined || others.length > 0) return `Sent · ${title}`;
  const answer = tidyAnswer(question, answerOf(question, fieldOf(form, question)));
  if (traitsOf(question).picks === "decision")
    return `${sentText(describeAnswers(session.questions, [answer.values.length === 0 ? { ...answer, values: ["deny"] } : answer]))} · ${title}`;
  const text = terminalLine(answerText(question, answer));
  return text === "" || text.length > 30 ? `Sent · ${title}` : `Sent “${text}” · ${title}`;
}
