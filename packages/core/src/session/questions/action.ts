import { exactMembers, keepsNumbers } from "../../exact-json.ts";
import type { Action } from "./schemas.ts";

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
