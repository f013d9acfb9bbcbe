import type { Question } from "@askbox/core";
import { beginsWith, prefixRisk, wordsOfPlainCommand } from "@askbox/core/grants";
import { bufferOf } from "../editor/text-buffer.ts";
import { advance, sayUnread } from "./advance.ts";
import { questionOf } from "./form-items.ts";
import type { Turn } from "./turn.ts";
import type { Overlay } from "./ui-state.ts";

/** In characters, as the hub takes them. */
const longest = 500;

const riskWords = {
  "runs-code": "runs any code that it is given",
  "runs-programs": "can run any other program",
  removes: "destroys files",
} as const;

/** Asks for the first words of the commands to allow, beginning with the whole command. */
export function startPrefix(turn: Turn, question: Question, grant: string): void {
  if (!("action" in question)) return;
  const buffer = bufferOf(question.action.command ?? "");
  turn.set({ overlay: { kind: "prefix", grant }, editing: { target: { kind: "prefix" }, buffer } });
}

/** Enter: allows the action and, from now on, what begins with these words. A prefix that allows more than it says needs Enter twice. */
export function confirmPrefix(turn: Turn, overlay: Extract<Overlay, { kind: "prefix" }>, text: string): void {
  const form = turn.form();
  const question = form === undefined ? undefined : questionOf(form);
  if (form === undefined || question === undefined || !("action" in question)) return;
  const prefix = text.trim();
  if (prefix.length > longest || wordsOfPlainCommand(prefix) === undefined || !beginsWith(question.action.command ?? "", prefix))
    return turn.say("Keep the first words of this command.", "warning");
  const unread = turn.seen.look.unread(question.id);
  if (unread !== undefined) return sayUnread(turn, unread);
  const risky = prefixRisk(prefix);
  if (risky !== undefined && overlay.warned !== prefix) {
    turn.set({ overlay: { ...overlay, warned: prefix } });
    return turn.say(`${risky.program} ${riskWords[risky.risk]}. Enter again allows all of it.`, "warning");
  }
  turn.set({ overlay: undefined, editing: undefined });
  turn.edit(question, { kind: "choose", value: `${overlay.grant}:${prefix}` });
  advance(turn);
}
