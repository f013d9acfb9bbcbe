import { type DiffLine, diffLines } from "./diff-lines.ts";

/** Where a line is: in the old or the new file of a diff, or in the document itself if it has no side. */
export interface Place {
  path?: string;
  side?: "old" | "new";
  /** From 1. */
  line: number;
}

/** A line of a document; without a place it takes no comments, as a diff's headings. */
export interface DocumentLine {
  text: string;
  /** Of a diff's line, whose text begins with its sign. */
  diff?: DiffLine;
  place?: Place;
}

/** Whether a document is a unified diff or a patch for `apply_patch`, and not markdown. */
export function isDiff(document: string): boolean {
  const first = document.slice(0, document.search(/\S/) + 2_000).trimStart();
  return /^(?:diff --git |Index: |\*\*\* Begin Patch|--- .*\n\+\+\+ |@@+ -\d)/.test(first);
}

/** The lines of a document, in linear time. A line of a diff without numbers is named by its number in the document. */
export function documentLines(document: string, asDiff = isDiff(document)): DocumentLine[] {
  if (!asDiff) return document.split("\n").map((text, index) => ({ text, place: { line: index + 1 } }));
  let before: string | undefined;
  let after: string | undefined;
  return diffLines(document).map((diff, index): DocumentLine => {
    const { kind, text } = diff;
    if (kind === "head" || kind === "hunk") {
      const [, mark, name] = /^(--- |\+\+\+ |\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: )([^\t\r]+)/.exec(text) ?? [];
      if (name !== undefined && mark !== "+++ ") before = name.replace(/^a\//, "");
      if (name !== undefined && mark !== "--- ") after = name.replace(/^b\//, "");
      return { text, diff };
    }
    const isOld = kind === "removed";
    const name = isOld ? before : after;
    const path = name === undefined || name === "/dev/null" ? {} : { path: name };
    const line = isOld ? diff.before : diff.after;
    return { text, diff, place: line === undefined ? { ...path, line: index + 1 } : { ...path, side: isOld ? "old" : "new", line } };
  });
}
