import { terminalText } from "@askbox/terminal-text";
import { Code } from "./code.tsx";
import { Markdown } from "./markdown.tsx";

/** Signs that a text was written as markdown: fences, headings, lists, emphasis, links, tables. */
const hasMarkdown = (line: string): boolean =>
  /^(```|#{1,6} )|\*\*\S|\]\(/.test(line) ||
  /^([-*]|\d{1,9}\.) \S/.test(line.trimStart()) ||
  (line.startsWith("|") && line.endsWith("|") && line.length > 2);

/** An option's preview: as markdown if it looks like markdown, otherwise as code or ASCII art. */
export function Preview({ text }: { text: string }) {
  return text.split("\n").some(hasMarkdown) ? <Markdown text={text} /> : <Code text={terminalText(text)} />;
}
