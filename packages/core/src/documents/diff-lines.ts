/** One line of a unified diff, with its sign. */
export interface DiffLine {
  kind: "head" | "hunk" | "same" | "added" | "removed";
  text: string;
  /** The line's number in the old and the new file. */
  before?: number;
  after?: number;
}

const hunk = /^@@+ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** The start of a hunk without line numbers in a patch for `apply_patch`, where a file's first hunk needs no such line. */
const unnumbered = /^(?:@@(?: |$)|\*\*\* (?:Add File|Update File|Move to): )/;

/** Every line of a unified diff, or of a patch for `apply_patch`; none is omitted, even in an invalid diff. */
export function diffLines(diff: string): DiffLine[] {
  let isHunk = false;
  let before: number | undefined;
  let after: number | undefined;
  // Where the hunk says that it ends.
  let ends = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((text): DiffLine => {
    const [start, from, olds = "1", to, news = "1"] = hunk.exec(text) ?? unnumbered.exec(text) ?? [];
    if (start !== undefined) {
      isHunk = true;
      before = from === undefined ? undefined : Number(from);
      after = to === undefined ? undefined : Number(to);
      ends = [Number(from) + Number(olds), Number(to) + Number(news)];
      return { kind: text.startsWith("@@") ? "hunk" : "head", text };
    }
    // The next file's names, which would be removed lines within a hunk.
    if (isHunk && text.startsWith("--- ") && (before ?? 0) >= ends[0] && (after ?? 0) >= ends[1]) isHunk = false;
    // Before the first hunk there are only file names.
    if (!isHunk) return { kind: "head", text };
    const old = () => before !== undefined && { before: before++ };
    const next = () => after !== undefined && { after: after++ };
    if (text.startsWith("+")) return { kind: "added", text, ...next() };
    if (text.startsWith("-")) return { kind: "removed", text, ...old() };
    if (text.startsWith(" ") || text === "") return { kind: "same", text, ...old(), ...next() };
    // `\ No newline at end of file`, or the next file's names.
    if (!text.startsWith("\\")) isHunk = false;
    return { kind: "head", text };
  });
}

/** A row of two columns: old and new; `whole` spans both. */
export type DiffPair = { whole: DiffLine } | { left: DiffLine | undefined; right: DiffLine | undefined };

/** The same lines side by side: a removed line is to the left of the line that replaced it. */
export function diffPairs(lines: readonly DiffLine[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as DiffLine;
    if (line.kind === "head" || line.kind === "hunk") {
      pairs.push({ whole: line });
      index += 1;
    } else if (line.kind === "same") {
      pairs.push({ left: line, right: line });
      index += 1;
    } else {
      const removed = run(lines, index, "removed");
      const added = run(lines, index + removed.length, "added");
      for (let row = 0; row < Math.max(removed.length, added.length); row += 1) pairs.push({ left: removed[row], right: added[row] });
      index += removed.length + added.length;
    }
  }
  return pairs;
}

function run(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): DiffLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return lines.slice(start, end);
}
