import { cut } from "../../cut.ts";
import { parseExact } from "../../exact-json.ts";
import { otherArguments } from "./action.ts";
import type { Action } from "./schemas.ts";

/** One part of an action as shown. */
export interface ActionPart {
  name: "tool" | "title" | "command" | "cwd" | "path" | "diff" | "plan" | "arguments";
  /** How it is drawn. */
  as: "line" | "code" | "diff" | "markdown";
  text: string;
}

/** All parts of an action, in reading order: what is done, then by which tool and where. Together they contain everything that is approved. */
export function actionParts(action: Action): ActionPart[] {
  const { tool, title, command, cwd, path, diff, text } = action;
  const rest = otherArguments(action);
  const parts: (ActionPart | undefined)[] = [
    part("command", "code", command),
    part("diff", "diff", diff),
    part("plan", "markdown", text),
    rest.length === 0 ? undefined : part("arguments", "code", rest.map(argumentText).join("\n")),
    part("tool", "line", tool),
    part("title", "line", title),
    part("cwd", "line", cwd),
    part("path", "line", path),
  ];
  return parts.filter((each) => each !== undefined);
}

const part = (name: ActionPart["name"], as: ActionPart["as"], text: string | undefined): ActionPart | undefined =>
  text === undefined ? undefined : { name, as, text };

/** Longer lines are cut, in characters. No surface decides by this line alone. */
const longestLine = 1_000;

/**
 * The actions of these questions, in one line of at most 1,000 characters per action, for lists and notifications; undefined if
 * there is none. The agent's own words for it are left out: they may say anything.
 */
export function actionLine(questions: readonly object[]): string | undefined {
  const lines = questions.flatMap((question) => ("action" in question ? [lineOf(question.action as Action)] : []));
  return lines.length === 0 ? undefined : lines.join("; ");
}

function lineOf(action: Action): string {
  const { kind, tool, command, path, diff, text } = action;
  if (kind === "plan" && text !== undefined) return `Plan: ${firstLine(text)}`;
  const what = command ?? path ?? (diff === undefined ? text : fileOfDiff(diff)) ?? otherArguments(action).map(argumentText).join(" ");
  const line = `${tool === undefined ? "" : `${tool}: `}${what.slice(0, 2 * longestLine)}`.replace(/\s+/g, " ").trim();
  return cut(line, longestLine);
}

/** The first line with words, without the markup of a heading. */
function firstLine(markdown: string): string {
  const [, line = ""] = /^[#\s]*(\S.*)/.exec(markdown.slice(0, 2 * longestLine)) ?? [];
  return cut(line.replace(/\s+/g, " ").trim(), longestLine, "");
}

/** The first file that a diff or a patch names, or else its first line. */
function fileOfDiff(diff: string): string {
  const start = diff.slice(0, 2 * longestLine);
  return /^(?:\+\+\+ |\*\*\* (?:Add|Update|Delete) File: )(.+)/m.exec(start)?.[1] ?? start;
}

/**
 * Text is shown as is, with a bar before each further line, so that it cannot be mistaken for another argument. Text and names that could be
 * mistaken for something else are quoted.
 */
function argumentText([name, value]: [string, unknown]): string {
  const text = typeof value === "string" && !isLikeJson(value) ? value : JSON.stringify(value, undefined, 2);
  return `${/[\s:"│]|^$/.test(name) ? JSON.stringify(name) : name}: ${text.replaceAll("\n", "\n│ ")}`;
}

/** Whether text looks like a value that is not text, such as `false`, or like quoted text. */
function isLikeJson(text: string): boolean {
  if (/^"|^$/.test(text)) return true;
  try {
    return JSON.stringify(parseExact(text), undefined, 2) === text;
  } catch {
    return false;
  }
}
