import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Step } from "./plan.ts";

/**
 * Diffs: of what a step of an installation would change, and of what an agent wants to change in a file.
 */

const none = "/dev/null";

/** What a step would change, as a unified diff; empty if nothing. */
export function diffOf({ path, before, after, action }: Step): string {
  if (action === "none") return "";
  const [from, to] = [action === "create" ? none : path, action === "remove" ? none : path];
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, { context: 2, headerOptions: FILE_HEADERS_ONLY });
}

/**
 * Removed and added lines, more than anyone reads; beyond that, the whole text is shown as removed and added. Comparing takes time by the
 * square of this number, in which a hub answers nobody.
 */
const maxEditLength = 500;

/** A complete diff of a text with all lines; `before` is empty for a new text. */
export function editDiff(path: string, before: string, after: string): string {
  const name = path.replace(/[\r\n]/g, "␊");
  const options = { context: Number.MAX_SAFE_INTEGER, headerOptions: FILE_HEADERS_ONLY, maxEditLength };
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, options) ?? wholeDiff(name, before, after);
}

function wholeDiff(name: string, before: string, after: string): string {
  const [old, next] = [before.split("\n"), after.split("\n")];
  const lines = [...old.map((line) => `-${line}`), ...next.map((line) => `+${line}`)];
  return [`--- ${name}`, `+++ ${name}`, `@@ -1,${old.length} +1,${next.length} @@`, ...lines, ""].join("\n");
}
