import type { DiffLine } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import type { RootContent } from "hast";
import { highlight } from "../markdown/highlight.ts";

/** A part of a line, with the classes of its colour. */
export interface Piece {
  text: string;
  names?: string;
}

/** The pieces of each line of a diff that is in a known language, without its sign. Each side is read as a whole, hunk by hunk. */
export function colourDiff(lines: readonly DiffLine[], path: string | undefined): Map<DiffLine, Piece[]> {
  const coloured = new Map<DiffLine, Piece[]>();
  let language = extensionOf(path);
  let hunk: DiffLine[] = [];
  const flush = () => {
    for (const other of ["added", "removed"] as const) {
      const side = hunk.filter(({ kind }) => kind !== other);
      for (const [index, pieces] of colourLines(side.map(bodyOf), language).entries()) coloured.set(side[index] as DiffLine, pieces);
    }
    hunk = [];
  };
  for (const line of lines) {
    if (line.kind !== "head" && line.kind !== "hunk") hunk.push(line);
    else {
      flush();
      const named = /^(?:\+\+\+ |\*\*\* (?:Add|Update) File: |\*\*\* Move to: )([^\t]+)/.exec(line.text)?.[1];
      language = extensionOf(named) ?? language;
    }
  }
  flush();
  return coloured;
}

/** A line without its sign, its invisible characters replaced. */
export const bodyOf = ({ text }: DiffLine): string => exactText(text.slice(1));

const extensionOf = (path: string | undefined): string | undefined => /\.(\w{1,10})\s*$/.exec(path ?? "")?.[1]?.toLowerCase();

/** No lines if the language is unknown. */
function colourLines(lines: readonly string[], language: string | undefined): Piece[][] {
  const tree = language === undefined || lines.length === 0 ? undefined : highlight(lines.join("\n"), language);
  if (tree === undefined) return [];
  const result: Piece[][] = [[]];
  const add = (node: RootContent, names: string) => {
    if (node.type === "text") {
      const [first = "", ...rest] = node.value.split("\n");
      const push = (text: string) => text !== "" && result.at(-1)?.push(names === "" ? { text } : { text, names });
      push(first);
      for (const text of rest) {
        result.push([]);
        push(text);
      }
    } else if (node.type === "element") {
      const own = node.properties["className"];
      for (const child of node.children) add(child, Array.isArray(own) ? own.join(" ") : names);
    }
  };
  for (const node of tree.children) add(node, "");
  // A carriage return would be a line of its own to some grammars: rather no colours than a wrong text.
  const isWhole =
    result.length === lines.length && result.every((pieces, index) => pieces.map(({ text }) => text).join("") === lines[index]);
  return isWhole ? result : [];
}
