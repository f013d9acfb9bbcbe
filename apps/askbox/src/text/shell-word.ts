import { terminalText } from "@askbox/terminal-text";

/** A word as it is typed in a POSIX shell: quoted where it must be. Undefined for text that would not survive a terminal. */
export function shellWord(text: string): string | undefined {
  if (terminalText(text) !== text || text.includes("\n")) return undefined;
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
