import type { Question, SessionView } from "@askbox/core";
import { actionLine, traitsOf } from "@askbox/core/questions";

/** The last part of a project's path, on any platform. */
export function folderName(project: string): string {
  const parts = project.split(/[\\/]+/).filter((part) => part !== "");
  return parts.at(-1) ?? project;
}

/** In characters. The whole action is shown below the title. */
const longestTitle = 100;

/** What a session asks permission for, or else its title, or else its first question, on one line. */
export function sessionTitle({ title, questions }: SessionView): string {
  const action = actionLine(questions);
  if (action !== undefined)
    return Array.from(action).length > longestTitle
      ? `${Array.from(action)
          .slice(0, longestTitle - 1)
          .join("")}…`
      : action;
  if (title !== undefined && title.trim() !== "") return title;
  return questions[0] === undefined ? "" : questionLine(questions[0]);
}

/** A question as one line of plain text. */
export function questionLine({ question }: Pick<Question, "question">): string {
  return withoutMarkup(question.replace(/\s+/g, " ").trim());
}

/** A line of markdown as plain text: without the markup of headings, strong text, code and links. */
function withoutMarkup(line: string): string {
  return line
    .replace(/^#{1,6} /, "")
    .replace(/\*\*(?=\S)([^*]{1,200})(?<=\S)\*\*/g, "$1")
    .replace(/`([^`]+)`/g, "$1")
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,2000}\)/g, "$1");
}

/** Whether the agent only waits for text. */
export function isPlainAsk({ asker, title, questions }: SessionView): boolean {
  return (
    asker.inlineReply === true ||
    (title === undefined && questions.length === 1 && questions.every((only) => traitsOf(only).typed === "words"))
  );
}
