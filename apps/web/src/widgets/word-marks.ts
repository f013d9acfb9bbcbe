/**
 * Which words of a changed line are other ones. A removed line is compared with the added one that replaced it. Everything is bounded, since an
 * agent writes the lines: long lines, and more than a screenful of changes in a row, have no marks.
 */
import type { DiffLine } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import { diffArrays } from "diff";

/** A part of a line that is another than before, by its indexes in the text as it is shown, without the sign. */
export interface Marked {
  from: number;
  to: number;
}

const maxLength = 2_000;
/** How many lines of one change are compared, and how many characters of one file. */
const maxLines = 50;
const maxCompared = 50_000;
/** How many words may differ; comparing takes as long as there are words, times these. */
const maxEdits = 40;

/** The marked parts of the lines of one file. Lines that have little in common have none. */
export function wordMarks(lines: readonly DiffLine[]): Map<DiffLine, readonly Marked[]> {
  const marks = new Map<DiffLine, readonly Marked[]>();
  let left = maxCompared;
  for (let index = 0; index < lines.length && left > 0; ) {
    const removed = runOf(lines, index, "removed");
    const added = runOf(lines, index + removed, "added");
    for (let row = 0; row < Math.min(removed, added, maxLines) && left > 0; row += 1) {
      const [before, after] = [lines[index + row], lines[index + removed + row]] as [DiffLine, DiffLine];
      left -= Math.min(maxLength, before.text.length) + Math.min(maxLength, after.text.length);
      const both = compared(shownBody(before), shownBody(after));
      if (both === undefined) continue;
      marks.set(before, both.old);
      marks.set(after, both.new);
    }
    index += Math.max(1, removed + added);
  }
  return marks;
}

/** A line as it is shown, without its sign; a long one isn't compared. */
export const shownBody = ({ text }: DiffLine): string => exactText(text.slice(1, maxLength + 2));

function runOf(lines: readonly DiffLine[], start: number, kind: DiffLine["kind"]): number {
  let end = start;
  while (lines[end]?.kind === kind) end += 1;
  return end - start;
}

/** Words, runs of spaces, and each sign. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^\p{L}\p{N}\p{M}_\s]/gu) ?? [];

/** What differs between two lines; undefined if they are too long, or too unlike for marks to help. */
export function compared(before: string, after: string): { old: Marked[]; new: Marked[] } | undefined {
  if (before.length > maxLength || after.length > maxLength) return undefined;
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: maxEdits });
  const result = { old: [] as Marked[], new: [] as Marked[] };
  let [left, right, common] = [0, 0, 0];
  for (const { value, added, removed } of changes ?? []) {
    const length = value.reduce((sum, word) => sum + word.length, 0);
    if (!added && !removed) common += value.reduce((sum, word) => sum + word.trim().length, 0);
    if (removed) result.old.push({ from: left, to: left + length });
    if (added) result.new.push({ from: right, to: right + length });
    if (!added) left += length;
    if (!removed) right += length;
  }
  // Less than a third in common is another line.
  const whole = Math.min(before.replaceAll(/\s/g, "").length, after.replaceAll(/\s/g, "").length);
  return changes === undefined || common * 3 < whole || common === 0 ? undefined : result;
}
