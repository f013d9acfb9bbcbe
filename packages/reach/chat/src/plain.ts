import { cut } from "@askbox/core/questions";
import { plainText } from "@askbox/terminal-text";

/** An invisible character without width that separates words for a program but not for a reader. */
const joiner = "\u2060";

/**
 * Text of an agent's, which a chat program turns neither into a link nor a mention, tag or command: what they begin with is separated from
 * what follows by a character without width. Answers never come from it.
 */
export function inert(text: string): string {
  return text
    .split(/\r?\n/)
    .map(plainText)
    .join("\n")
    .replace(/([@#$])(?=[\p{L}\p{N}_])/gu, `$1${joiner}`)
    .replace(/(^|[^\p{L}\p{N}])\/(?=[\p{L}\p{N}_])/gu, `$1/${joiner}`)
    .replace(/:(?=\/)/g, `:${joiner}`)
    .replace(/\.(?=[\p{L}\p{N}])/gu, `.${joiner}`);
}

/** The beginning, in at most `max` of what `measure` counts. */
export function cutTo(text: string, max: number, measure: (part: string) => number): string {
  if (measure(text) <= max) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(cut(text, middle)) <= max) low = middle;
    else high = middle - 1;
  }
  return cut(text, low);
}
