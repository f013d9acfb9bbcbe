/**
 * A command in the words that it is read by: addresses, paths, operators, and words that a browser would break at a hyphen. No text is changed
 * or lost, whatever it is, and each character is looked at once; a command that nobody reads word by word is one piece.
 */

/** A part of a line; `word` is kept whole, and `text` is everything else. */
export interface CommandPiece {
  as: "address" | "path" | "operator" | "word" | "text";
  text: string;
}

/** Longer commands are shown plain, in characters. */
const longest = 20_000;

/** The lines of a command, each with its line break. */
export function commandLines(command: string): CommandPiece[][] {
  if (command.length > longest) return [[{ as: "text", text: command }]];
  return (command.match(/[^\n]*\n|[^\n]+/g) ?? []).map(piecesOf);
}

function piecesOf(line: string): CommandPiece[] {
  const pieces: CommandPiece[] = [];
  for (const [text] of line.matchAll(/[|&;<>]+|\s+|[^\s|&;<>]+/g)) {
    const as = kindOf(text);
    const last = pieces.at(-1);
    if (as === "text" && last?.as === "text") last.text += text;
    else pieces.push({ as, text });
  }
  return pieces;
}

function kindOf(text: string): CommandPiece["as"] {
  if ("|&;<>".includes(text.charAt(0))) return "operator";
  if (text.includes("://")) return "address";
  if (text.includes("/") || text.startsWith("~")) return "path";
  return text.includes("-") ? "word" : "text";
}
