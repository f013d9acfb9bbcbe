/** Escape sequences as wholes, so that no rest such as `[31m` stays behind. */
const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/g;

/** What nobody sees but something may obey: controls, bidirectional controls, unpaired surrogates, tags, annotation and zero-width signs. */
const unseen =
  /[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Noncharacter_Code_Point}\u00AD\u200B\u2028\u2029\u2060-\u2064\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Text from an agent without anything that a terminal, a shell's environment or a notification might obey; spaces stay as they are. */
export function cleanText(text: string): string {
  return text.replace(escapeSequence, "").replace(unseen, "");
}

/** The same for a single line: line breaks, tabs and runs of spaces become one space. */
export function cleanLine(text: string): string {
  return cleanText(text.replace(/[\s\u2028\u2029]+/g, " "))
    .replace(/ +/g, " ")
    .trim();
}

/** At most `longest` characters (code points); what was cut off is marked by an ellipsis. */
export function shorten(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  return `${characters
    .slice(0, longest - 1)
    .join("")
    .trimEnd()}…`;
}
