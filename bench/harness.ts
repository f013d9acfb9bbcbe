/** One measurement beside its floor: the same work without askbox, measured in the same run. */
export interface BenchRow {
  name: string;
  /** What the machine can do at best; absent where the bound is a number by itself. */
  floor?: number;
  askbox: number;
  /** `askbox` divided by `floor`. */
  ratio?: number;
  unit: string;
  /** The bound in words. */
  bound: string;
  ok: boolean;
}

/** What a bench module exports. */
export interface BenchModule {
  bench(): Promise<BenchRow[]>;
}

/** The value that the share `p` (0–1) of all values does not exceed; by nearest rank. Throws for no values. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))];
  if (value === undefined) throw new Error("There are no values to take a percentile of.");
  return value;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/**
 * Measures the floor and askbox by turns, so that whatever else the machine does meets both alike. The first `warmUp` rounds do not count.
 */
export async function interleave(
  rounds: number,
  measure: { floor(): Promise<number>; askbox(): Promise<number> },
  warmUp = Math.ceil(rounds / 10),
): Promise<{ floor: number[]; askbox: number[] }> {
  const measured = { floor: [] as number[], askbox: [] as number[] };
  for (let round = -warmUp; round < rounds; round += 1) {
    const floor = await measure.floor();
    const askbox = await measure.askbox();
    if (round < 0) continue;
    measured.floor.push(floor);
    measured.askbox.push(askbox);
  }
  return measured;
}

/** A row that is bounded by its floor. */
export function againstFloor(
  row: Pick<BenchRow, "name" | "askbox" | "unit"> & { floor: number },
  bound: { atMost: number } | { atLeast: number },
): BenchRow {
  const ratio = row.askbox / row.floor;
  return "atMost" in bound
    ? { ...row, ratio, bound: `at most ${bound.atMost} × floor`, ok: ratio <= bound.atMost }
    : { ...row, ratio, bound: `at least ${bound.atLeast} × floor`, ok: ratio >= bound.atLeast };
}

/** A row that is bounded by a number. */
export function atMost(row: Pick<BenchRow, "name" | "askbox" | "unit">, limit: number): BenchRow {
  return { ...row, bound: `at most ${limit} ${row.unit}`, ok: row.askbox <= limit };
}
