import { terminalLine, terminalText } from "@askbox/terminal-text";
import type { HTMLAttributes } from "react";
import { useMarked } from "./found.tsx";

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
