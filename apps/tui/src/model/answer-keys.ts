import type { Question } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { type FormState, isAnswered } from "@askbox/inbox";
import { optionOfKey } from "@askbox/inbox/commands";
import { advance, submit } from "./advance.ts";
import { removeFile } from "./attaching.ts";
import { fieldOf, type Item, isGrant, isPicked, questionOf } from "./form-items.ts";
import { goTo } from "./navigate.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { widgetKey } from "./widget-keys.ts";
import { shortKey } from "./words.ts";

/** Keys that answer the current question, or navigate the review. Returns whether the key was handled. */
export function answerKey(turn: Turn, form: FormState, name: string): boolean {
  const question = questionOf(form);
  // A widget with movable options uses arrows with a modifier; plain arrows move the cursor.
  if (question !== undefined && widgetKey(turn, question, name)) return true;
  const by = turn.seen.keymap.find(name, ["up", "down"] as const);
  if (by !== undefined) {
    moveItem(turn, question, by === "up" ? -1 : 1);
    return true;
  }
  const item = turn.items()[turn.ui.item];
  if (turn.is(name, "revoke") && item?.kind === "file") removeFile(turn, form, item);
  else if (question === undefined) return reviewKey(turn, form, item, name);
  else if (turn.is(name, "toggle") && item !== undefined) pick(turn, form, item, true);
  else if (turn.is(name, "confirm")) confirm(turn, form, item);
  else return false;
  return true;
}

/** Enter: opens a text field, otherwise continues. It picks no option: people press it again and again. */
function confirm(turn: Turn, form: FormState, item: Item | undefined): void {
  const question = questionOf(form);
  if (question === undefined || item === undefined) return advance(turn);
  const field = fieldOf(form, question);
  // What is skipped is sent without an answer.
  if (field.skipped && ["text", "option"].includes(item.kind)) return advance(turn);
  if (["text", "attach", "note", "comment"].includes(item.kind)) return pick(turn, form, item, false);
  if (item.kind === "other") return field.other && field.otherText.trim() !== "" ? advance(turn) : pick(turn, form, item, false);
  // Below a document that is still being read, the verdict that is sent is in view, and the cursor isn't.
  const isReading = turn.seen.viewport.isItemBelow && "document" in question;
  const isUntouched =
    !(isReading && isAnswered(question, field)) &&
    item.kind === "option" &&
    traitsOf(question).picks !== "many" &&
    !isPicked(question, field, item.value);
  if (!isUntouched) return advance(turn);
  // The cursor is on another option than the picked one, or none is picked.
  if (isAnswered(question, field)) return sayPicks(turn, "Something else is picked.");
  if (isReading) return turn.say("Nothing is picked yet; its digit picks a verdict.", "warning");
  if (question.required || form.steps === 1) return sayPicks(turn, "Nothing is picked yet.");
  advance(turn);
}

function sayPicks(turn: Turn, what: string): void {
  turn.say(`${what} ${shortKey(turn.seen.keymap.keysOf("toggle")[0] ?? "")} picks this.`, "warning");
}

function pick(turn: Turn, form: FormState, item: Item, toggle: boolean): void {
  const question = questionOf(form);
  if (item.kind === "comment") return startEditing(turn, { kind: "comment" });
  if (question === undefined) return;
  turn.set({ scroll: undefined });
  if (item.kind === "text" || item.kind === "attach" || item.kind === "note")
    return startEditing(turn, { kind: item.kind, questionId: question.id });
  if (item.kind === "option") {
    // Once more on a picked grant: for how long.
    if (isGrant(question, item.value) && isPicked(question, fieldOf(form, question), item.value))
      return turn.set({ overlay: { kind: "grantFor", item: 0 } });
    if (isGrant(question, item.value)) turn.do({ kind: "readPast", session: form.session.id });
    const keepsOrder = traitsOf(question).picks === "order";
    return turn.edit(
      question,
      keepsOrder ? { kind: "place", value: item.value, index: item.index } : { kind: "choose", value: item.value },
    );
  }
  if (item.kind !== "other") return;
  if (toggle && fieldOf(form, question).other) return turn.edit(question, { kind: "other", other: false });
  startEditing(turn, { kind: "other", questionId: question.id });
}

function reviewKey(turn: Turn, form: FormState, item: Item | undefined, name: string): boolean {
  const digit = optionOfKey(name, form.session.questions.length, "alt");
  const confirms = turn.is(name, "confirm");
  if (digit !== undefined) goTo(turn, digit);
  else if (!confirms && !turn.is(name, "toggle")) return false;
  else if (item?.kind === "answer") goTo(turn, item.step);
  else if (item?.kind === "comment") startEditing(turn, { kind: "comment" });
  else if (confirms) submit(turn);
  return true;
}

/** Moves the cursor. The document of a review is read first: above its end, the arrows scroll. */
function moveItem(turn: Turn, question: Question | undefined, by: 1 | -1): void {
  const { bodyTop, isItemBelow } = turn.seen.viewport;
  if (isItemBelow && question !== undefined && traitsOf(question).readFirst) return turn.set({ scroll: Math.max(0, bodyTop + by) });
  turn.set({ item: Math.min(turn.items().length - 1, Math.max(0, turn.ui.item + by)), scroll: undefined });
}
