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

/** The beginning, in at most `max` UTF-16 units or what `measure` counts, without half a character at its end. */
export function cut(text: string, max: number, measure = (part: string) => part.length): string {
  if (measure(text) <= max) return text;
  const ending = "…";
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(`${text.slice(0, middle)}${ending}`) <= max) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low).replace(/[\ud800-\udbff]$/, "")}${ending}`;
}
