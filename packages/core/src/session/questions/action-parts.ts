import { type Action, otherArguments } from "./action.ts";

/** One part of an action as shown. */
export interface ActionPart {
  name: "tool" | "title" | "command" | "cwd" | "path" | "diff" | "plan" | "arguments";
  /** How it is drawn. */
  as: "line" | "code" | "diff" | "markdown";
  text: string;
}

/** All parts of an action, in reading order. Together they contain everything that is approved. */
export function actionParts(action: Action): ActionPart[] {
  const { tool, title, command, cwd, path, diff, text } = action;
  const rest = otherArguments(action);
  const parts: (ActionPart | undefined)[] = [
    part("tool", "line", tool),
    part("title", "line", title),
    part("command", "code", command),
    part("cwd", "line", cwd),
    part("path", "line", path),
    part("diff", "diff", diff),
    part("plan", "markdown", text),
    rest.length === 0 ? undefined : part("arguments", "code", rest.map(argumentText).join("\n")),
  ];
  return parts.filter((each) => each !== undefined);
}

const part = (name: ActionPart["name"], as: ActionPart["as"], text: string | undefined): ActionPart | undefined =>
  text === undefined ? undefined : { name, as, text };

/** Text is shown as is, with a bar before each further line, so that it cannot be mistaken for another argument. */
function argumentText([name, value]: [string, unknown]): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return `${name}: ${text.replaceAll("\n", "\n│ ")}`;
}
