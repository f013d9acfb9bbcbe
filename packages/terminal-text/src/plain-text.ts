import { escapeSequence } from "./terminal-text.ts";

/**
 * Invisible characters that a program may interpret: controls, bidirectional controls, unpaired surrogates, tags, annotation and zero-width
 * characters.
 */
const unseen =
  /[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Noncharacter_Code_Point}\u00AD\u200B\u2028\u2029\u2060-\u2064\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** An agent's text without anything that a terminal, a shell's environment or a notification might interpret; spaces are kept. */
export function plainText(text: string): string {
  return text.replace(escapeSequence, "").replace(unseen, "");
}

/** The same for a single line: line breaks, tabs and runs of spaces become one space. */
export function plainLine(text: string): string {
  return plainText(text.replace(/[\s\u2028\u2029]+/g, " "))
    .replace(/ +/g, " ")
    .trim();
}

/** Truncates to `max` characters (code points), with an ellipsis. */
export function shorten(text: string, max: number): string {
  // A character has at most two code units, so no more than this is read.
  const characters = Array.from(text.slice(0, 2 * max + 2));
  if (characters.length <= max) return text;
  return `${characters
    .slice(0, max - 1)
    .join("")
    .trimEnd()}…`;
}
