/** One measurement beside its floor: the same work without askbox, measured in the same run. */
export interface BenchRow {
  /** What the baseline knows it by: it stays when the name is worded again. */
  id: string;
  name: string;
  /** What the machine can do at best; absent where the bound is a number by itself. */
  floor?: number;
  askbox: number;
  /** `askbox` divided by `floor`. */
  ratio?: number;
  unit: string;
  /** The bound in words. */
  bound: string;
  better: "lower" | "higher";
  /**
   * By how much of itself the ratio may worsen against the baseline before that counts, from 0: what it differs by from run to run on one machine. Null
   * where a ratio says too little to be compared.
   */
  tolerance: number | null;
  ok: boolean;
}

/** What a bench module exports. */
export interface BenchModule {
  bench(): Promise<BenchRow[]>;
}

/** What a row is made of besides its bound. */
export type Measured = Pick<BenchRow, "id" | "name" | "askbox" | "unit"> & Partial<Pick<BenchRow, "floor" | "tolerance">>;

/** Ratios to a floor of the same run differ by a third between busy and quiet machines; what has become half as dear again has changed. */
const usualTolerance = 0.5;

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

function rowOf(measured: Measured): Omit<BenchRow, "bound" | "better" | "ok"> {
  const { floor, tolerance = usualTolerance, ...rest } = measured;
  return { ...rest, tolerance, ...(floor === undefined ? {} : { floor, ratio: measured.askbox / floor }) };
}

/** A row that is bounded by its floor. */
export function againstFloor(measured: Measured & { floor: number }, bound: { atMost: number } | { atLeast: number }): BenchRow {
  const ratio = measured.askbox / measured.floor;
  const row = { ...rowOf(measured), ratio };
  return "atMost" in bound
    ? { ...row, bound: `at most ${bound.atMost} × floor`, better: "lower", ok: ratio <= bound.atMost }
    : { ...row, bound: `at least ${bound.atLeast} × floor`, better: "higher", ok: ratio >= bound.atLeast };
}

/** A row that is bounded by a number; its floor, where it has one, says what of it is not askbox's. */
export function atMost(measured: Measured, limit: number): BenchRow {
  return { ...rowOf(measured), bound: `at most ${limit} ${measured.unit}`, better: "lower", ok: measured.askbox <= limit };
}

/** A row that is bounded by a number beyond its floor. */
export function atMostBeyond(measured: Measured & { floor: number }, limit: number): BenchRow {
  const { askbox, floor, unit } = measured;
  return { ...rowOf(measured), bound: `at most ${limit} ${unit} beyond floor`, better: "lower", ok: askbox - floor <= limit };
}
