/** Ends a command: another one or a file follows. */
const ending = /^(?:&&|\|\||[|;()<>&]|\n)/;

/** Placeholder for a substitution among a command's words. */
export const substituted = "SUBSTITUTED";

/**
 * The commands in a piece of shell code as lists of words, including those in substitutions. Supports quotes, comments, joined lines and
 * substitutions, which is all the docs use.
 */
function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]];
  let rest = text.replaceAll("\\\n", " ");
  let word: string | undefined;
  const inner: string[][] = [];
  const endWord = () => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  const take = (length: number) => {
    const taken = rest.slice(0, length);
    rest = rest.slice(length);
    return taken;
  };
  const substitution = () => {
    const length = closingOf(rest, 2);
    inner.push(...commandsIn(take(length).slice(2, -1)));
    word = (word ?? "") + substituted;
  };
  while (rest !== "") {
    const operator = ending.exec(rest)?.[0];
    if (rest.startsWith("$(") || rest.startsWith("<(")) substitution();
    else if (operator !== undefined) {
      endWord();
      commands.push([]);
      take(operator.length);
    } else if (rest[0] === "#" && word === undefined) take(rest.indexOf("\n") < 0 ? rest.length : rest.indexOf("\n"));
    else if (/^\s/.test(rest)) {
      endWord();
      take(1);
    } else if (rest[0] === "'") word = (word ?? "") + take(rest.indexOf("'", 1) + 1).slice(1, -1);
    else if (rest[0] === '"') {
      take(1);
      word ??= "";
      while (rest !== "" && rest[0] !== '"') {
        if (rest.startsWith("$(")) substitution();
        else word += take(rest[0] === "\\" ? 2 : 1).at(-1);
      }
      take(1);
    } else word = (word ?? "") + take(1);
  }
  endWord();
  return [...commands, ...inner].filter((command) => command.length > 0);
}

/** The position after the bracket that closes the one at `from`. */
function closingOf(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

/** The words after the program's name, for each call of it; variables and other programs may come before it. */
export function argumentsOf(program: string, text: string): string[][] {
  return commandsIn(text).flatMap((words) => {
    const at = words.findIndex((word) => word === program || word.endsWith(`bin/${program}`));
    return at < 0 ? [] : [words.slice(at + 1)];
  });
}
