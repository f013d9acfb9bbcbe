import type { Question } from "@askbox/core";
import { beginsWith, prefixRisk, wordsOfPlainCommand } from "@askbox/core/grants";
import { grantDuration, grantDurations } from "@askbox/core/questions";
import { bufferOf } from "../editor/text-buffer.ts";
import { sayUnread } from "./advance.ts";
import { questionOf } from "./form-items.ts";
import type { Turn } from "./turn.ts";
import type { Overlay } from "./ui-state.ts";

const riskWords = {
  "runs-code": "runs any code that it is given",
  "runs-programs": "can run any other program",
  removes: "destroys files",
} as const;

/** Asks for the first words of the commands to allow, beginning with the whole command. */
export function startPrefix(turn: Turn, question: Question, duration: string): void {
  if (!("action" in question)) return;
  const buffer = bufferOf(question.action.command ?? "");
  turn.set({ overlay: { kind: "prefix", duration }, editing: { target: { kind: "prefix" }, buffer } });
}

/** Enter: grants them and allows the action. A prefix that allows more than it says needs Enter twice. */
export function confirmPrefix(turn: Turn, overlay: Extract<Overlay, { kind: "prefix" }>, text: string): void {
  const form = turn.form();
  const question = form === undefined ? undefined : questionOf(form);
  if (form === undefined || question === undefined || !("action" in question)) return;
  const prefix = text.trim();
  if (wordsOfPlainCommand(prefix) === undefined || !beginsWith(question.action.command ?? "", prefix))
    return turn.say("Keep the first words of this command.", "warning");
  const unread = turn.seen.look.unread(question.id);
  if (unread !== undefined) return sayUnread(turn, unread);
  const risky = prefixRisk(prefix);
  if (risky !== undefined && overlay.warned !== prefix) {
    turn.set({ overlay: { ...overlay, warned: prefix } });
    return turn.say(`${risky.program} ${riskWords[risky.risk]}. Enter again allows all of it.`, "warning");
  }
  turn.set({ overlay: undefined, editing: undefined });
  const duration = grantDuration(overlay.duration) ?? grantDurations.default;
  turn.do({ kind: "grantPrefix", session: form.session.id, questionId: question.id, prefix, duration });
}
