import { terminalText } from "@askbox/terminal-text";

/** A word for a POSIX shell, quoted if necessary. Undefined for text that can't be pasted into a terminal safely. */
export function shellWord(text: string): string | undefined {
  if (terminalText(text) !== text || text.includes("\n")) return undefined;
  return /^[\w./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
