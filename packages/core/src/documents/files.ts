/**
 * The files of a diff: their names, how much each changes, and which of its lines only repeat that. A document that is no diff is one file
 * without a name. Everything takes linear time, whatever the text is, and no line is lost.
 */
import type { DocumentLine } from "./documents.ts";

/** A line with its index in the document. */
export interface IndexedLine extends DocumentLine {
  index: number;
}

/** The lines of one file of a diff, or a whole document. */
export interface DocumentFile {
  /** Its present name; empty if the diff doesn't say. */
  name: string;
  /** Its name before, if that is another one. */
  was?: string;
  change?: "new" | "deleted";
  /** Lines with a sign. */
  added: number;
  removed: number;
  lines: readonly IndexedLine[];
}

interface Names {
  before?: string;
  after?: string;
}

/** Where a file certainly begins, even straight after another's names. */
const begins = /^(?:diff --git |Index: |\*\*\* (?:Add|Update|Delete) File: )/;
/** What belongs to the file before it. */
const ends = /^(?:\\|\*\*\* End )/;

/** The files of a document, in its order; each begins with the lines that name it. */
export function filesOf(lines: readonly DocumentLine[]): DocumentFile[] {
  const files: { names: Names; isNamed: boolean; added: number; removed: number; lines: IndexedLine[] }[] = [];
  let hasBegun = false;
  for (const [index, line] of lines.entries()) {
    const { text, diff } = line;
    const isHead = diff?.kind === "head" && !ends.test(text);
    const last = files.at(-1);
    const isNext = begins.test(text) ? hasBegun : text.startsWith("--- ") && last?.isNamed === true;
    if (last === undefined || (isHead && (lines[index - 1]?.diff?.kind !== "head" || ends.test(lines[index - 1]?.text ?? "") || isNext))) {
      files.push({ names: {}, isNamed: false, added: 0, removed: 0, lines: [] });
      hasBegun = false;
    }
    const file = files.at(-1) as (typeof files)[number];
    if (isHead) {
      hasBegun ||= begins.test(text);
      file.isNamed ||= text.startsWith("+++ ");
      Object.assign(file.names, namesIn(text));
    }
    if (diff?.kind === "added") file.added += 1;
    if (diff?.kind === "removed") file.removed += 1;
    file.lines.push({ ...line, index });
  }
  return files.map(({ names, isNamed: _, ...file }) => ({ ...named(names, file.lines), ...file }));
}

function named({ before, after }: Names, lines: readonly IndexedLine[]): Pick<DocumentFile, "name" | "was" | "change"> {
  if (after === nowhere && before !== undefined) return { name: before, change: "deleted" };
  const name = after ?? before ?? lines.find(({ place }) => place !== undefined)?.place?.path ?? "";
  if (before === nowhere) return { name, change: "new" };
  return { name, ...(before !== undefined && after !== undefined && before !== after && { was: before }) };
}

const nowhere = "/dev/null";

/** What a heading says about the file's name before and after. */
function namesIn(text: string): Names {
  const [, mark, name = ""] =
    /^(--- |\+\+\+ |rename from |rename to |\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: )([^\t\r]*)/.exec(text) ?? [];
  if (mark === undefined || name === "") return {};
  if (mark === "--- ") return { before: name.replace(/^a\//, "") };
  if (mark === "+++ ") return { after: name.replace(/^b\//, "") };
  if (mark === "rename from ") return { before: name };
  if (mark === "*** Add File: ") return { before: nowhere, after: name };
  if (mark === "*** Delete File: ") return { before: name, after: nowhere };
  if (mark === "*** Update File: ") return { before: name, after: name };
  return { after: name };
}

/** Whether a line only repeats what a heading with the file's names and its change says. */
export function isRepeated({ name, was = name, change }: DocumentFile, { text, diff }: DocumentLine): boolean {
  if (diff?.kind !== "head" || name === "") return false;
  const [before, after] = [change === "new" ? nowhere : `a/${was}`, change === "deleted" ? nowhere : `b/${name}`];
  const said = [
    `--- ${before}`,
    `+++ ${after}`,
    `--- ${change === "new" ? nowhere : was}`,
    `+++ ${change === "deleted" ? nowhere : name}`,
    `diff --git a/${was} b/${name}`,
    `rename from ${was}`,
    `rename to ${name}`,
    `*** ${change === "new" ? "Add" : change === "deleted" ? "Delete" : "Update"} File: ${was}`,
    `*** Move to: ${name}`,
  ];
  return said.includes(text) || /^index [\da-f]{4,64}\.\.[\da-f]{4,64}(?: 100644)?$/.test(text);
}

/** The index among the files of the one with this line. */
export function fileAt(files: readonly DocumentFile[], line: number): number {
  let [low, high] = [0, files.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle]?.lines[0]?.index ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** What all of the files change together. */
export const changeOf = (files: readonly DocumentFile[]): { added: number; removed: number } => ({
  added: files.reduce((sum, { added }) => sum + added, 0),
  removed: files.reduce((sum, { removed }) => sum + removed, 0),
});
