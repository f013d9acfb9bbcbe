/**
 * The boundary between untrusted text and a terminal: every string from an agent, its client or another person is cleaned here before it is
 * printed. Control sequences and invisible characters become visible.
 */

/** Whole escape sequences, in their 7-bit and 8-bit forms: CSI; OSC, DCS, SOS, PM and APC up to their end; two-character ones. */
export const escapeSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u0090\u0098\u009C-\u009F]*(?:\u0007|\u001B\\|\u009C)|\u001B[ -/]*[0-~]/g;

/**
 * Invisible characters. Group 1 is kept: joiners and selectors within an emoji, joiners of the scripts that use them. The rest is removed:
 * bidirectional controls, zero-width characters, tags, soft hyphens, unpaired surrogates.
 */
const invisible =
  // linear: the lookarounds are one character long.
  /((?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Emoji}|\p{So})[\uFE0E\uFE0F]|(?<=\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Malayalam}|\p{Script=Sinhala})[\u200C\u200D])|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cs}\uFFF9-\uFFFB]+/gu;

/** More marks on one letter than any script needs would overlap the lines around it. */
const heapOfMarks = /(\p{M}{6})\p{M}+/gu;

/** More joined parts than any emoji has (its longest has 6): browsers take quadratic time to draw one that never ends. */
const endlessEmoji = /((?:\p{Emoji_Modifier}|\uFE0F|\u200D\p{Extended_Pictographic}){12})(?:\p{Emoji_Modifier}|\uFE0F|\u200D)+/gu;

const replacement = "\uFFFD";

/** Cleans multi-line text. Line breaks stay, tabs become two spaces. */
export function terminalText(text: string): string {
  return text
    .replace(escapeSequence, "\u241B")
    .replace(/\r\n|[\u2028\u2029\u0085]/g, "\n")
    .replace(/\t/g, "  ")
    .replace(/(?!\n)\p{Cc}/gu, controlSign)
    .replace(invisible, (_, kept?: string) => kept ?? replacement)
    .replace(endlessEmoji, `$1${replacement}`)
    .replace(heapOfMarks, `$1${replacement}`);
}

/** The styles that askbox itself prints; none of them hides text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds control sequences.
const style = /(\u001B\[(?:[0127]|2[27]|30;107|[34][0-79])m)/;

/**
 * The last step before a program's own text is printed, whatever it contains: control sequences and invisible characters become visible, except for
 * line breaks, tabs and, with `styles`, colours. Passes what `terminalText`, `exactText` and `terminalJson` return unchanged.
 */
export function printable(text: string, { styles }: { styles: boolean }): string {
  if (/^[\n\t -~]*$/.test(text)) return text;
  const clean = (part: string) =>
    part.replace(/(?![\n\t])\p{Cc}/gu, controlSign).replace(invisible, (_, kept?: string) => kept ?? replacement);
  return styles
    ? text
        .split(style)
        .map((part, index) => (index % 2 === 0 ? clean(part) : part))
        .join("")
    : clean(text);
}

/** The Unicode symbol for an ASCII control character; C1 controls have none. */
function controlSign(control: string): string {
  const code = control.charCodeAt(0);
  if (code === 0x7f) return "\u2421";
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : replacement;
}

/** Cleans text for a single line: line breaks and runs of spaces become one space. */
export function terminalLine(text: string): string {
  return terminalText(text).replace(/\s+/g, " ").trim();
}

/**
 * Escapes characters in JSON text that a terminal interprets and JSON allows: DEL, C1 controls, bidirectional and invisible characters. The
 * parsed document stays the same.
 */
export function terminalJson(json: string): string {
  return json.replace(/[\u007F-\u009F\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu, (character) =>
    Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""),
  );
}
