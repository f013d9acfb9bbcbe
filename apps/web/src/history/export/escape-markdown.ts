import { terminalLine, terminalText } from "@askbox/terminal-text";

/** Everything with a meaning in CommonMark or GFM, anywhere in a line, including what turns a bare address into a link. */
const significant = /[\\`*_{}[\]()<>#+\-.!|~&$=^:@]/g;
/** Escapes text as a single line of Markdown that only displays it. */
export function escapeMarkdown(text: string): string {
  return terminalLine(text).replace(significant, "\\$&");
}

/** Several lines of text as a code block, whose fence the text can't close. */
export function fencedText(text: string): string {
  const shown = terminalText(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

/** Text in the smallest form that preserves it. */
export function quotedText(text: string): string {
  return text.trim().includes("\n") ? fencedText(text) : escapeMarkdown(text);
}
