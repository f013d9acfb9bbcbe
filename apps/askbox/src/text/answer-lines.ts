import type { Question, SessionView } from "@askbox/core";
import { shortId } from "./session-names.ts";
import { shellWord } from "./shell-word.ts";

/**
 * Command lines that answer or cancel a session, for a POSIX shell. No option is put in (`N` stands for a number, and is refused as it
 * stands), so that nothing is chosen by copying; and what an agent wrote is in a line that people paste only where it must be
 * (question ids), and then quoted.
 */
export function answerLines(session: Pick<SessionView, "id" | "questions">, program = "askbox"): string[] {
  const id = shortId(session.id);
  const [only, ...more] = session.questions;
  const cancel = `${program} cancel ${id}`;
  if (only === undefined) return [cancel];
  if (more.length === 0) return [...singleLines(only, `${program} answer ${id}`), cancel];
  const settings = session.questions.map(settingOf);
  if (settings.includes(undefined)) return [`${program} answer ${id} --json answers.json`, cancel];
  return [`${program} answer ${id} ${settings.join(" ")}`, cancel];
}

function singleLines(question: Question, start: string): string[] {
  switch (question.type) {
    case "confirm":
      return [`${start} yes`, `${start} no`];
    case "text":
      return [`${start} '${wordsFor(question)}'`];
    case "number":
    case "date":
    case "rating":
      return [`${start} ${wordsFor(question)}`];
    case "unknown":
      return [];
    case "select":
    case "multi-select": {
      const chosen = question.type === "multi-select" && question.options.length > 1 ? "'#N' '#N'" : "'#N'";
      const other = question.allowOther ? flag("--other", question, "your own words") : undefined;
      return [`${start} ${chosen}`, ...(other === undefined ? [] : [`${start} ${other}`])];
    }
  }
}

function settingOf(question: Question): string | undefined {
  return flag("--set", question, wordsFor(question));
}

/** What stands where the answer goes; nothing that could be an answer. */
function wordsFor(question: Question): string {
  switch (question.type) {
    case "text":
      return question.format === undefined
        ? "your text"
        : `your ${{ email: "email", url: "URL", "date-time": "date and time" }[question.format]}`;
    case "number":
      return "NUMBER";
    case "date":
      return "YYYY-MM-DD";
    case "rating":
      return "RATING";
    case "confirm":
      return "yes or no";
    case "select":
    case "multi-select":
      return "#N";
    case "unknown":
      return "…";
  }
}

function flag(name: string, question: Question, value: string): string | undefined {
  const word = shellWord(`${question.id}=${value}`);
  return word === undefined ? undefined : `${name} ${word}`;
}
