import type { Question } from "@askbox/core";
import { offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import { optionOfKey } from "@askbox/inbox/commands";
import { isDenial } from "@askbox/inbox/list";
import { advance, sayUnread } from "./advance.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { shortKey } from "./words.ts";

/** Keys of a kind of question. They come before the form's own keys and depend on the question's traits, not its type name. */
interface WidgetKeys {
  /** Returns whether the key was handled. */
  press(turn: Turn, question: Question, name: string): boolean;
}

/** `y` and `n`, for options they stand for. */
const yesOrNo: WidgetKeys = {
  press(turn, question, name) {
    const shortcut = turn.seen.keymap.find(name, ["yes", "no"] as const);
    const index = offeredOptions(question).findIndex((option) => option.shortcut !== undefined && option.shortcut === shortcut);
    if (index >= 0) choose(turn, question, index);
    return index >= 0;
  },
};

/**
 * One key denies or allows what is in view, and sends the decision. No other key does, such as a digit, which could pick something in the
 * next question.
 */
const decided: WidgetKeys = {
  press(turn, question, name) {
    if (traitsOf(question).picks !== "decision") return false;
    const shortcut = turn.seen.keymap.find(name, ["allow", "no"] as const);
    const index = offeredOptions(question).findIndex((option) => option.shortcut !== undefined && option.shortcut === shortcut);
    if (index < 0 && turn.is(name, "yes")) sayDecisionKeys(turn, isDenial({ questions: [question] }));
    if (index < 0) return optionOfKey(name, 20, "alt") !== undefined;
    const unread = shortcut === "allow" ? turn.seen.look.unread(question.id) : undefined;
    if (unread !== undefined) sayUnread(turn, unread);
    else if (turn.seen.look.typing.isGoingOn) turn.say("Press it again, not while typing.", "warning");
    else if (!turn.seen.look.takesLetters(question.id)) turn.say("Press it again with the action in view.", "warning");
    else {
      choose(turn, question, index);
      advance(turn);
    }
    return true;
  },
};

/** A plain `y` allows nothing: it is too easily meant for another question. */
function sayDecisionKeys(turn: Turn, isOfDenial: boolean): void {
  const [allow = "", deny = ""] = (["allow", "no"] as const).map((action) => shortKey(turn.seen.keymap.keysOf(action)[0] ?? ""));
  const [does, doesNot] = isOfDenial ? ["overrules the denial", "agrees with it"] : ["allows once", "denies"];
  turn.say(`${allow === "Y" ? "Y (shift+y)" : allow} ${does}, ${deny} ${doesNot}.`, "warning");
}

/** Digits pick options in order, with Alt from the eleventh on; the digit after the last option is Other. */
const numbered: WidgetKeys = {
  press(turn, question, name) {
    if (traitsOf(question).picks === "order") return false;
    const count = offeredOptions(question).length;
    const other = takesOther(question);
    const digit = optionOfKey(name, other ? count + 1 : count, "alt");
    if (digit !== undefined && digit < count) choose(turn, question, digit);
    else if (other && (digit === count || turn.is(name, "other"))) startEditing(turn, { kind: "other", questionId: question.id });
    else return false;
    return true;
  },
};

const shifts: Readonly<Record<string, number>> = { "shift+up": -1, "shift+down": 1 };

/** Shifted arrows move the option under the cursor, a digit gives it that rank, and Enter or Space confirms the order shown. */
const ranked: WidgetKeys = {
  press(turn, question, name) {
    const item = turn.items()[turn.ui.item];
    if (traitsOf(question).picks !== "order" || item?.kind !== "option") return false;
    const count = offeredOptions(question).length;
    const shift = Object.hasOwn(shifts, name) ? shifts[name] : undefined;
    const index = shift === undefined ? optionOfKey(name, count, "alt") : Math.min(count - 1, Math.max(0, item.index + shift));
    if (index === undefined) return false;
    turn.edit(question, { kind: "place", value: item.value, index });
    turn.set({ item: index, scroll: undefined });
    return true;
  },
};

/** A type with keys of its own adds them here. */
const widgets: readonly WidgetKeys[] = [decided, yesOrNo, ranked, numbered];

export const widgetKey = (turn: Turn, question: Question, name: string): boolean =>
  widgets.some(({ press }) => press(turn, question, name));

function choose(turn: Turn, question: Question, index: number): void {
  const option = offeredOptions(question)[index];
  if (option === undefined) return;
  turn.edit(question, { kind: "choose", value: option.value });
  const { isItemBelow, bodyTop } = turn.seen.viewport;
  // The verdicts on a document are in view, wherever it is scrolled.
  turn.set({ item: index, scroll: isItemBelow && "document" in question ? bodyTop : undefined });
}
