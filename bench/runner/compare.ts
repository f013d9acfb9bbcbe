import type { BenchRow } from "../harness.ts";

/** Ratios to compare with, by row. Absolute numbers are the machine's; what is left of them beside their floors is askbox's. */
export type Baseline = Readonly<Record<string, number>>;

export interface Comparison {
  id: string;
  /** The ratio then; absent for a row that the baseline does not have. */
  before?: number;
  /** How much better (above 0) or worse (below 0) it is now, by what it was: 0.5 is half as good again, or half as much. */
  change?: number;
  verdict: "same" | "better" | "worse" | "new" | "not compared";
}

export function compare(rows: readonly BenchRow[], baseline: Baseline): Comparison[] {
  return rows.map(({ id, ratio, better, tolerance }): Comparison => {
    if (tolerance === null || ratio === undefined) return { id, verdict: "not compared" };
    const before = baseline[id];
    if (before === undefined) return { id, verdict: "new" };
    // How many times as dear as before, whichever way the ratio points.
    const dearer = better === "lower" ? ratio / before : before / ratio;
    const verdict = dearer > 1 + tolerance ? "worse" : dearer < 1 / (1 + tolerance) ? "better" : "same";
    return { id, before, change: 1 / dearer - 1, verdict };
  });
}

/** The baseline with what was measured now; what was not stays. */
export function updated(baseline: Baseline, rows: readonly BenchRow[]): Baseline {
  const measured = rows.flatMap(({ id, ratio, tolerance }) =>
    ratio === undefined || tolerance === null ? [] : [[id, Number(ratio.toPrecision(3))] as const],
  );
  return Object.fromEntries(
    Object.entries({ ...baseline, ...Object.fromEntries(measured) }).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** What is said below the table: the bounds that are broken, and what has changed beyond its tolerance. */
export function sentences(rows: readonly BenchRow[], comparisons: readonly Comparison[]): string[] {
  const broken = rows.filter(({ ok }) => !ok).map(({ name, bound }) => `Bound broken: ${name} (${bound}).`);
  const changed = comparisons.flatMap(({ id, before = 0, verdict }) => {
    const row = rows.find((each) => each.id === id);
    if (row?.ratio === undefined || (verdict !== "worse" && verdict !== "better")) return [];
    const title = verdict === "worse" ? "Worse than the baseline" : "Better than the baseline";
    return [`${title}: ${row.name}, ratio ${digits(before)} then, ${digits(row.ratio)} now.`];
  });
  return [...broken, ...changed];
}

/** Three digits that count, as people read them. */
export const digits = (value: number | undefined): string =>
  value === undefined ? "" : value.toLocaleString("en", { maximumSignificantDigits: 3 });
