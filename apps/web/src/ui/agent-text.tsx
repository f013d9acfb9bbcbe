/** Text from outside. Invisible characters are shown, and what was searched for is marked. */
import { terminalLine, terminalText } from "@askbox/terminal-text";
import { createContext, type HTMLAttributes, type ReactNode, useContext } from "react";
import { later } from "./later.tsx";

/** The `searchWords` of the search, marked in the texts below. */
export const FoundContext = createContext<readonly string[]>([]);

/** Loaded with the first search. */
const Marked = later(async () => (await import("./marked.tsx")).Marked);

function useMarked(text: string): ReactNode {
  const words = useContext(FoundContext);
  return words.length === 0 ? text : <Marked text={text} words={words} fallback={text} />;
}

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
