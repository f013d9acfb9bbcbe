import { canonicalJson, exactMembers, keepsNumbers, parseAskJson, parseExact } from "../../exact-json.ts";
import { cut } from "../../texts.ts";
import { type Action, actionSchema } from "./schemas.ts";

/** The maximum size of an action as JSON, in bytes. Anything larger is more than a person reads, and is left to the client's own prompt. */
export const maxActionBytes = 204_800;

/** The length of a text in UTF-8, counted without encoding it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
    // A pair has four bytes, and was counted as two units of three each.
    if (unit >= 0xd800 && unit <= 0xdbff && index + 1 < text.length) bytes -= 1;
    if (unit >= 0xdc00 && unit <= 0xdfff) bytes -= 1;
  }
  return bytes;
}

/** The arguments by which clients pass on what the other parts show. */
const shownAs = {
  command: ["command"],
  path: ["path", "file_path", "filePath", "notebook_path", "url"],
  text: ["plan", "text"],
  diff: ["diff"],
} as const;

/**
 * The arguments that the other parts of the action do not show, in their own order: what is shown as a command, a file or a plan need not
 * be repeated, but no other argument may be hidden, even if its text is the same. A number that JavaScript cannot hold is an opaque value,
 * for `JSON.stringify`.
 */
export function otherArguments(action: Action): [name: string, value: unknown][] {
  const { input = {}, inputJson } = action;
  const members = inputJson === undefined ? input : exactMembers(inputJson);
  // An engine that cannot keep numbers exactly shows the text.
  if (inputJson !== undefined && (members === undefined || !keepsNumbers)) return [["input", inputJson]];
  const unshown = new Map(Object.entries(members ?? {}));
  for (const part of ["command", "path", "text", "diff"] as const) {
    // Only one of several with the same text is what the part shows.
    const shown = shownAs[part].find((name) => action[part] !== undefined && unshown.get(name) === action[part]);
    if (shown !== undefined) unshown.delete(shown);
  }
  return [...unshown];
}

/** One part of an action as shown. */
export interface ActionPart {
  name: "tool" | "title" | "command" | "cwd" | "machine" | "path" | "diff" | "plan" | "arguments";
  /** How it is drawn. */
  as: "line" | "code" | "diff" | "markdown";
  text: string;
}

/**
 * All parts of an action, in reading order: what is done, then by which tool and where. Together they contain everything that is approved.
 * `machine`: the one that its asker runs on, which decides where a folder is.
 */
export function actionParts(action: Action, machine?: string): ActionPart[] {
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
    part("machine", "line", machine),
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
  const named = [tool, what.slice(0, 2 * longestLine)].filter((part) => part !== undefined && part.trim() !== "");
  return cut(named.join(": ").replace(/\s+/g, " ").trim(), longestLine);
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

/**
 * Reads an action, which may be JSON text, and makes its `input` agree with its `inputJson`, which it keeps only if `input` cannot hold the
 * arguments exactly. Returns what is not an action unchanged, to be rejected.
 */
export function readAction(sent: unknown): unknown {
  const action = typeof sent === "string" ? parsed(sent) : sent;
  if (typeof action !== "object" || action === null || !("inputJson" in action)) return action;
  const { inputJson, ...rest } = action;
  const exact = typeof inputJson === "string" ? exactMembers(inputJson) : undefined;
  if (exact === undefined) return action;
  const input = actionSchema.shape.input.parse(JSON.parse(String(inputJson)));
  return { ...rest, input, ...(canonicalJson(exact) !== canonicalJson(JSON.parse(JSON.stringify(input))) && { inputJson }) };
}

function parsed(text: string): unknown {
  try {
    JSON.parse(text);
    return (parseAskJson(`{"action":${text}}`) as { action: unknown }).action;
  } catch {
    return text;
  }
}

/** What determines whether two actions are equal: all parts but the title, with the exact arguments. */
export function exactAction({ title: _title, inputJson, input, ...action }: Action): Record<string, unknown> {
  return { ...action, input: inputJson === undefined ? input : exactMembers(inputJson) };
}
