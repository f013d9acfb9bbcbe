import { Code } from "./code.tsx";
import { Markdown } from "./markdown.tsx";

/** Signs that a text was written as markdown: fences, headings, lists, emphasis, links, tables. */
const markdownSigns = /^```|^#{1,6} |^\s*[-*] \S|^\s*\d+\. \S|\*\*\S|\]\(|^\|.+\|$/m;

/** What an option would mean, as its agent drew it: markdown, else code or a drawing in letters. */
export function Preview({ text }: { text: string }) {
  return markdownSigns.test(text) ? <Markdown text={text} /> : <Code text={text} />;
}
