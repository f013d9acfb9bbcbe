import { terminalLine, terminalText } from "@askbox/terminal-text";

/** Everything that begins something in CommonMark or GFM, wherever in a line it stands; also what makes a bare address a link. */
const significant = /[\\`*_{}[\]()<>#+\-.!|~&$=^:@]/g;
/** A text from elsewhere as one line of Markdown that shows it, and does nothing else. */
export function escapeMarkdown(text: string): string {
  return terminalLine(text).replace(significant, "\\$&");
}

/** A text of several lines as a block of code, which nothing in the text can end. */
export function fencedText(text: string): string {
  const shown = terminalText(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

/** A text in the smallest form that keeps it as it is. */
export function quotedText(text: string): string {
  return text.trim().includes("\n") ? fencedText(text) : escapeMarkdown(text);
}
