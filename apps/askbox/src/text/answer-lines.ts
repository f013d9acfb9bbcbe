import type { Question, SessionView } from "@askbox/core";
import { shellWord } from "@askbox/core/clients";
import { offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import { shortId } from "./session-names.ts";

/**
 * Command lines that answer or cancel a session, for a POSIX shell. No option is filled in: `N` stands for a number and is rejected as
 * it is, so that pasting a line chooses nothing. Text from an agent only appears where it must (question ids), and
 * then quoted.
 */
export function answerLines(session: Pick<SessionView, "id" | "questions">, program = "askbox"): string[] {
  const id = shortId(session.id);
  const [only, ...more] = session.questions;
  const cancel = `${program} cancel ${id}`;
  if (only === undefined || session.questions.some((question) => !canAnswer(question))) return [cancel];
  if (more.length === 0 && traitsOf(only).picks === "decision") return [`${program} allow ${id}`, `${program} deny ${id} 'REASON'`, cancel];
  if (more.length === 0) return [...singleLines(only, `${program} answer ${id}`), cancel];
  const settings = session.questions.map(settingOf);
  if (settings.includes(undefined)) return [`${program} answer ${id} --json answers.json`, cancel];
  return [`${program} answer ${id} ${settings.join(" ")}`, cancel];
}

/** A type unknown to this version of askbox can only be declined. */
function canAnswer(question: Question): boolean {
  const { attached, picks, typed } = traitsOf(question);
  return picks !== undefined || typed !== undefined || attached === true;
}

function singleLines(question: Question, start: string): string[] {
  const { attached, formField, metavar, picks, typed } = traitsOf(question);
  if (typed === "words") return [`${start} '${metavar}'`];
  if (formField !== undefined || attached) return [`${start} ${metavar}`];
  const options = offeredOptions(question);
  const shortcuts = options.flatMap(({ shortcut }) => (shortcut === undefined ? [] : [`${start} ${shortcut}`]));
  if (shortcuts.length > 0) return shortcuts;
  const other = takesOther(question) ? flag("--other", question, "your own words") : undefined;
  const chosen = picks === "many" && options.length > 1 ? `'${metavar}' '${metavar}'` : `'${metavar}'`;
  return [`${start} ${chosen}`, ...(other === undefined ? [] : [`${start} ${other}`])];
}

function settingOf(question: Question): string | undefined {
  return flag("--set", question, traitsOf(question).metavar);
}

function flag(name: string, question: Question, value: string): string | undefined {
  const word = shellWord(`${question.id}=${value}`);
  return word === undefined ? undefined : `${name} ${word}`;
}
