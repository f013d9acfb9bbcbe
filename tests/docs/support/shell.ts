/** Ends a command: what follows is another, or a file. */
const ending = /^(?:&&|\|\||[|;()<>&]|\n)/;

/** What stands for a substitution among a command's words. */
export const substituted = "SUBSTITUTED";

/**
 * The commands of a piece of shell as lists of words, those in substitutions too. It knows quotes, comments, joined lines and substitutions: as
 * much as the docs use.
 */
export function commandsIn(text: string): string[][] {
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

/** Where the bracket that is open at `from` closes: the length up to behind it. */
function closingOf(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
    if (text[index] === "(") depth += 1;
    if (text[index] === ")") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

/** The words after the program's name, for each time that it is run; variables and other programs may stand before it. */
export function argumentsOf(program: string, text: string): string[][] {
  return commandsIn(text).flatMap((words) => {
    const at = words.findIndex((word) => word === program || word.endsWith(`bin/${program}`));
    return at < 0 ? [] : [words.slice(at + 1)];
  });
}
