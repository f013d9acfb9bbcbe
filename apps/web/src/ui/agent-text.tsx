import { terminalLine, terminalText } from "@askbox/terminal-text";
import type { HTMLAttributes } from "react";

/** Text from elsewhere, with a writing direction of its own. What cannot be seen in it becomes a visible sign, as in the terminal. */
export function AgentText({ children, title, ...rest }: HTMLAttributes<HTMLElement> & { children: string }) {
  return (
    <bdi title={title === undefined ? undefined : terminalLine(title)} {...rest}>
      {terminalText(children)}
    </bdi>
  );
}

/** The same for the text that decides the direction of its block, which has `dir="auto"`. */
export function LeadingText({ children }: { children: string }) {
  return <span>{terminalText(children)}</span>;
}
