import { lookalike } from "./lookalikes.ts";

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

/** Letters of the scripts that share many shapes with Latin, and dashes and quotes. */
const similar = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\u2010-\u2015\u2018-\u201F]/u;
const latin = /[A-Za-z]/;
const maxSuspects = 20;

/** Whether a character looks like an ASCII one, by Unicode's table or as a variant of it, such as `ｒ`. */
function looksAscii(character: string): boolean {
  const known = looks.get(character);
  if (known !== undefined) return known;
  const found = character > "\u007F" && (lookalike.test(character) || /^[!-~]+$/.test(character.normalize("NFKC")));
  if (looks.size >= maxLooks) looks.clear();
  looks.set(character, found);
  return found;
}
const looks = new Map<string, boolean>();
const maxLooks = 10_000;

/**
 * The deceptive characters of a text, as `а (U+0430)`, each once and at most 20: invisible ones, and those that look like ASCII in a word
 * with Latin letters or in a word in which every letter does, such as `сору`.
 */
export function suspectCharacters(text: string): string[] {
  const found = new Set<string>();
  for (const [character] of text.replace(/\r\n/g, "\n").matchAll(unseen)) {
    found.add(pointOf(character));
    if (found.size >= maxSuspects) return [...found];
  }
  for (const [part] of text.matchAll(/\S+/g)) {
    if (/^[!-~]*$/.test(part)) continue;
    for (const character of suspectsIn(part)) found.add(`${character} (${pointOf(character)})`);
    if (found.size >= maxSuspects) break;
  }
  return [...found].slice(0, maxSuspects);
}

/** The characters of a text without spaces that look like ASCII. */
function suspectsIn(part: string): Set<string> {
  const found = new Set<string>();
  // Beside Latin letters, as in `gіt.com`; or a sign that stands for a path, as in `rm -rf ∕`.
  if (latin.test(part) || !/\p{L}/u.test(part)) for (const character of part) if (looksAscii(character)) found.add(character);
  for (const [word] of part.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    const letters = word.match(/\p{L}/gu) ?? [];
    const isMixed = latin.test(word);
    if (letters.length === 0 || (!isMixed && !letters.every(looksAscii))) continue;
    for (const character of word) if (looksAscii(character) || (isMixed && similar.test(character))) found.add(character);
  }
  return found;
}
