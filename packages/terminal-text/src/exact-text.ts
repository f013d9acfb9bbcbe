/**
 * Invisible characters: controls other than line breaks and tabs, bidirectional controls, default-ignorable and blank characters, unpaired
 * surrogates.
 */
const unseen =
  /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u2800]/gu;

const pointOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** More marks on one letter than any script needs, which `terminalText` cuts. */
const heapOfMarks = /(\p{M}{6})(\p{M}+)/gu;

/**
 * Text for an approval: nothing is omitted, and invisible characters are shown by their number, `⟨U+200B⟩`, as are heaps of marks on one letter. Line breaks stay, tabs become
 * an arrow and spaces. Passes `terminalText` unchanged.
 */
export function exactText(text: string): string {
  return text
    .replace(/\r\n/g, "␍\n")
    .replace(unseen, (character) => `⟨${pointOf(character)}⟩`)
    .replace(heapOfMarks, (_heap, kept: string, rest: string) => kept + Array.from(rest, (mark) => `⟨${pointOf(mark)}⟩`).join(""))
    .replace(/\t/g, "→   ");
}

/** Letters of other scripts that look like Latin ones. */
const lookalike =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\u{1D400}-\u{1D7FF}\uFF01-\uFF5E\u2010-\u2015\u2018-\u201F\u2044\u2215\u2216\uFE68\u037E\u01C3]/gu;
const maxSuspects = 20;

/**
 * The deceptive characters of a text, as `а (U+0430)`, each once and at most 20: letters and symbols of other scripts in a word with Latin
 * letters, and invisible characters.
 */
export function suspectCharacters(text: string): string[] {
  const found = new Set<string>();
  for (const [character] of text.replace(/\r\n/g, "\n").matchAll(unseen)) found.add(pointOf(character));
  for (const word of text.split(/\s+/)) {
    if (!/[A-Za-z]/.test(word)) continue;
    for (const [character] of word.matchAll(lookalike)) found.add(`${character} (${pointOf(character)})`);
    if (found.size > maxSuspects) break;
  }
  return [...found].slice(0, maxSuspects);
}
