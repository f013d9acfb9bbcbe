import { escapeSequence } from "./terminal-text.ts";

/** What nobody sees but something may obey: controls, bidirectional controls, unpaired surrogates, tags, annotation and zero-width signs. */
const unseen =
  /[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Noncharacter_Code_Point}\u00AD\u200B\u2028\u2029\u2060-\u2064\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Text from an agent without anything that a terminal, a shell's environment or a notification might obey; spaces stay as they are. */
export function plainText(text: string): string {
  return text.replace(escapeSequence, "").replace(unseen, "");
}

/** The same for a single line: line breaks, tabs and runs of spaces become one space. */
export function plainLine(text: string): string {
  return plainText(text.replace(/[\s\u2028\u2029]+/g, " "))
    .replace(/ +/g, " ")
    .trim();
}

/** At most `max` characters (code points); what was cut off is marked by an ellipsis. */
export function shorten(text: string, max: number): string {
  // A character has at most two code units, so that no more than these are looked at.
  const characters = Array.from(text.slice(0, 2 * max + 2));
  if (characters.length <= max) return text;
  return `${characters
    .slice(0, max - 1)
    .join("")
    .trimEnd()}…`;
}
