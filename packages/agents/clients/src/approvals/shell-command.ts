/** Shells in folders of the system, which an agent can't replace. */
const shells = /^\/(?:usr\/)?bin\/(?:bash|zsh|sh)$/;

/**
 * The script that one of the system's shells runs; the whole text if it is anything else. Codex reports `/bin/bash -lc 'npm test'` where the
 * agent asked for `npm test`.
 */
export function scriptOf(command: string): string {
  const [shell = "", flag, script, ...rest] = wordsOf(command) ?? [];
  return shells.test(shell) && (flag === "-lc" || flag === "-c") && script !== undefined && rest.length === 0 ? script : command;
}

const word = /'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|([\w@%+=:,./-]+)/y;

/** The words of a command that consists of quoted and plain text only; undefined for any other. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < command.length) {
    let text = "";
    const start = at;
    for (;;) {
      word.lastIndex = at;
      const match = word.exec(command);
      if (match === null) break;
      at = word.lastIndex;
      text += match[1] ?? match[2]?.replace(/\\(["\\$`])/g, "$1") ?? match[3] ?? "";
    }
    if (at === start) return undefined;
    words.push(text);
    if (at === command.length) break;
    if (command[at] !== " ") return undefined;
    at += 1;
  }
  return words;
}
