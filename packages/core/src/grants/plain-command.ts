/** Characters without a special meaning in every shell, outside of quotes. */
const plain = /^[A-Za-z0-9_@%+:,./=-]$/;
/** Deceptive characters: control characters, everything that is invisible or changes the text direction, and quotes that end a text in PowerShell. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2018-\u201f]/u;
const blank = /^[ \t]$/;

/**
 * The words of a command that is one plain program with its arguments; undefined for anything else. Much stricter than a shell: anything
 * that joins commands, substitutes, redirects, expands, escapes or sets a variable is not a plain command, and neither is anything with
 * another meaning in some shell.
 */
export function wordsOfPlainCommand(command: string): string[] | undefined {
  if (hidden.test(command.replaceAll("\t", " "))) return undefined;
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const char of command) {
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
      else if (quote === '"' && /["$`\\!]/.test(char)) return undefined;
      else word = (word ?? "") + char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (blank.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (plain.test(char)) word = (word ?? "") + char;
    else return undefined;
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  const [program] = words;
  // A first word with an equals sign sets a variable, which can change what any program does.
  return program === undefined || program === "" || program.includes("=") ? undefined : words;
}

/** Whether a plain command begins with all words of the prefix, compared as whole words. */
export function beginsWith(command: string, prefix: string): boolean {
  const wanted = wordsOfPlainCommand(prefix);
  const words = wordsOfPlainCommand(command);
  return wanted !== undefined && words !== undefined && startsWith(words, wanted);
}

export const startsWith = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every((word, index) => words[index] === word);
