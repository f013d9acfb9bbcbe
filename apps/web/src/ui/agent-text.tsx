/** Text from outside. Invisible characters are shown, and what was searched for is marked. */
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { createContext, type HTMLAttributes, type ReactNode, useContext } from "react";

/** The `searchWords` of the search, marked in the texts below. */
export const FoundContext = createContext<readonly string[]>([]);

/** A text with each of the words marked, ignoring case; of two that overlap, the one that begins first. */
function marked(text: string, words: readonly string[]): ReactNode {
  const lower = text.toLowerCase();
  // A letter that changes its length with its case would move the marks.
  if (words.length === 0 || lower.length !== text.length) return text;
  const parts: ReactNode[] = [];
  let end = 0;
  const next = words.map((word) => lower.indexOf(word));
  for (;;) {
    let first = -1;
    for (const [index, word] of words.entries()) {
      if ((next[index] ?? -1) !== -1 && (next[index] as number) < end) next[index] = lower.indexOf(word, end);
      if (next[index] !== -1 && (first === -1 || (next[index] as number) < (next[first] as number))) first = index;
    }
    if (first === -1) break;
    const at = next[first] as number;
    parts.push(text.slice(end, at));
    end = at + (words[first] as string).length;
    parts.push(<mark key={at}>{text.slice(at, end)}</mark>);
  }
  return parts.length === 0 ? text : [...parts, text.slice(end)];
}

const useMarked = (text: string): ReactNode => marked(text, useContext(FoundContext));

/** Outside text with its own writing direction. Invisible characters are shown as visible symbols, as in the terminal. */
export function AgentText({ children, title, ...rest }: HTMLAttributes<HTMLElement> & { children: string }) {
  return (
    <bdi title={title === undefined ? undefined : terminalLine(title)} {...rest}>
      {useMarked(terminalText(children))}
    </bdi>
  );
}

/** The same for text that determines the direction of its block, which has `dir="auto"`. */
export function LeadingText({ children }: { children: string }) {
  return <span>{terminalText(children)}</span>;
}
