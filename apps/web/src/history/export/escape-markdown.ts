/** Everything that begins something in CommonMark or GFM, wherever in a line it stands; also what makes a bare address a link. */
const significant = /[\\`*_{}[\]()<>#+\-.!|~&$=^:@]/g;
/** Control characters, and those that turn the direction of what follows or cannot be seen. */
const unseen = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A text from elsewhere as one line of Markdown that shows it, and does nothing else. */
export function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").replace(unseen, "").trim().replace(significant, "\\$&");
}

/** A text of several lines as a block of code, which nothing in the text can end. */
export function fencedText(text: string): string {
  const shown = text.replace(/\r\n?/g, "\n").replace(/[\n\t]|[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, keepBreaks);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}`;
}

const keepBreaks = (character: string) => (character === "\n" || character === "\t" ? character : "");

/** A text in the smallest form that keeps it as it is. */
export function quotedText(text: string): string {
  return text.trim().includes("\n") ? fencedText(text) : escapeMarkdown(text);
}
