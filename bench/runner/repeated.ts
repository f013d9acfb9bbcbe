import type { BenchRow } from "../harness.ts";

/** A row of one or several runs. */
export interface RepeatedRow extends BenchRow {
  /** How far the runs lie apart: the largest value less the smallest, by the one that counts. Absent for a single run. */
  spread?: number;
}

/** Of several runs of a part, the middle one of each row counts, by ratio, or by value where there is none. */
export function middleOf(runs: readonly (readonly BenchRow[])[]): RepeatedRow[] {
  const [first = []] = runs;
  return first.map(({ id }) => {
    const rows = runs.flatMap((run) => run.filter((row) => row.id === id)).sort((one, other) => weightOf(one) - weightOf(other));
    const middle = rows[(rows.length - 1) >> 1];
    const [least, most] = [rows[0], rows.at(-1)];
    if (middle === undefined || least === undefined || most === undefined) throw new Error(`No run has the row ${id}.`);
    if (rows.length === 1) return middle;
    return { ...middle, spread: weightOf(middle) === 0 ? 0 : (weightOf(most) - weightOf(least)) / weightOf(middle) };
  });
}

const weightOf = ({ ratio, askbox }: BenchRow): number => ratio ?? askbox;
