/** What stands for itself in every shell, outside of quotes. */
const plain = /^[A-Za-z0-9_@%+:,./=-]$/;
/** What is not what it seems: control characters, and all that is invisible or turns the direction of writing. */
const hidden = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/u;
const blank = /^[ \t]$/;

/**
 * The words of a command that is one plain program with its arguments; undefined for anything else. Far stricter than a shell: what joins commands, substitutes, redirects,
 * expands, escapes or sets a variable is no plain command, and neither is what has another meaning in some shell.
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

/** Whether a plain command begins with all words of the prefix, each of them whole. */
export function beginsWith(command: string, prefix: string): boolean {
  const wanted = wordsOfPlainCommand(prefix);
  const words = wordsOfPlainCommand(command);
  if (wanted === undefined || words === undefined) return false;
  return wanted.every((word, index) => words[index] === word);
}
